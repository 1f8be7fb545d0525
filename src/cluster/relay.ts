import { within } from '../stop.js';
import type { Line } from './line.js';
import { askOthers } from './siblings.js';

/** How long an answer of one of the others is waited for, milliseconds. */
const PATIENCE_MS = 2000;

/** Passes questions that come on a line on to the other processes. @param serving the lines to all that serve */
export function passOn(line: Line, serving: () => readonly Line[]): void {
  line.answer(askOthers, async ({ name, question }) => {
    const others = serving().filter((each) => each !== line);
    const asked = others.map((other) => within(PATIENCE_MS, other.ask<unknown, unknown>({ name }, question)));
    const answers = await Promise.allSettled(asked);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  });
}
