import { setTimeout as sleep } from 'node:timers/promises';
import type { Abandon } from './abandon.js';
import { troubleOf } from './errors.js';

/** How long work that no client waits for waits for its share and for a connection, milliseconds. */
export const PATIENCE_MS = 60_000;
/** Pauses between tries, milliseconds: where the server has no connection left it says so at once. */
const PAUSE_MS = 250;

/** Until when work waits, and whether it is still wanted. */
export interface Wait {
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly abandon?: Pick<Abandon, 'insist'> | undefined;
}

/**
 * Does work that needs a connection, again and again while all connections are in use. It ran on none of
 * them then: what fails in the middle is not repeated.
 *
 * @throws why the work was abandoned; what it throws
 */
export async function untilConnected<T>(work: () => Promise<T>, { deadline, abandon }: Wait): Promise<T> {
  for (;;) {
    abandon?.insist();
    try {
      return await work();
    } catch (error) {
      if (troubleOf(error) !== 'busy' || Date.now() > deadline) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
