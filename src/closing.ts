import type { Logger } from 'pino';
import { unlessAborted, within, type Stop } from './stop.js';

/** Milliseconds that a step of closing may take where nothing else says so. */
const STEP_MS = 2000;

/** Does a step of closing; one that fails or hangs is told to the log and keeps nothing from the next. */
export type Step = (name: string, work: () => Promise<unknown>, milliseconds?: number) => Promise<void>;

/** The steps of what closes by `stop`: none outlasts its atOnce. */
export function closing({ atOnce }: Stop, log: Logger): Step {
  return async (name, work, milliseconds = STEP_MS) => {
    try {
      await unlessAborted(atOnce, within(milliseconds, work()));
    } catch (error) {
      log.warn({ err: error as Error }, `closing: ${name} did not finish`);
    }
  };
}
