import type { Logger } from 'pino';
import { unlessAborted, within, type Stop } from './stop.js';

/** Milliseconds that a step of closing may take where nothing else says so. */
const STEP_MS = 2000;

/** Runs a step of closing. If it fails or hangs, this is logged, and the next step still runs. */
export type Step = (name: string, work: () => Promise<unknown>, milliseconds?: number) => Promise<void>;

/** The steps of a close: none outlasts the `atOnce` of `stop`. */
export function closing({ atOnce }: Stop, log: Logger): Step {
  return async (name, work, milliseconds = STEP_MS) => {
    try {
      await unlessAborted(atOnce, within(milliseconds, work()));
    } catch (error) {
      log.warn({ err: error as Error }, `closing: ${name} did not finish in time, or failed`);
    }
  };
}
