import type { Line } from './line.js';
import { askOthers } from './siblings.js';

/** How long to wait for an answer of another process, milliseconds. */
const PATIENCE_MS = 2000;

/** Passes questions that arrive on a line to the other processes. @param serving lines to those that serve */
export function passOn(line: Line, serving: () => readonly Line[]): void {
  line.answer(askOthers, async ({ name, question }) => {
    const others = serving().filter((each) => each !== line);
    const about = { name, patience: PATIENCE_MS };
    const answers = await Promise.allSettled(
      others.map((other) => other.ask<unknown, unknown>(about, question)),
    );
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  });
}
