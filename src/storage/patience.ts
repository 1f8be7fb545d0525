import { setTimeout as sleep } from 'node:timers/promises';
import { troubleOf } from './errors.js';

/** How long work that no client waits for waits for its share of the connections, milliseconds. */
export const PATIENCE_MS = 60_000;
/** Pauses between tries, milliseconds: where the server has no connection left it says so at once. */
const PAUSE_MS = 250;

/** Does work that needs a connection, again and again while all connections are in use, for so long. */
export async function untilConnected<T>(work: () => Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (troubleOf(error) !== 'busy' || Date.now() > end) throw error;
      await sleep(PAUSE_MS);
    }
}
