import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from '../shield/load.js';

/** How often to check whether requests still arrive, milliseconds. */
const LOOK_MS = 20;
/** Longest wait for requests to stop arriving, unless the quiet time itself is longer, milliseconds. */
const LONGEST_MS = 4000;

/**
 * Makes health checks say that the servers will close, and resolves when no requests have arrived for `quiet`
 * milliseconds. A balancer on a busy machine notices late, so that after a fixed time requests would be refused that
 * were already on their way (seen: three of 1,340 in a rolling restart). Clients that reach a gateway directly do not
 * notice at all; the wait for them is at most 4 s.
 */
export async function drain(loads: readonly Load[], quiet: number): Promise<void> {
  const deadline = performance.now() + Math.max(quiet, LONGEST_MS);
  const newest = () => Math.max(...loads.map(({ lastRequestAt }) => lastRequestAt));
  for (const load of loads) load.announceClosing();
  let last = newest();
  // It counts checks, not time: while this process stood still it saw no request.
  for (let looks = 0; looks * LOOK_MS < quiet && performance.now() < deadline; looks += 1) {
    await sleep(LOOK_MS);
    if (newest() === last) continue;
    last = newest();
    looks = 0;
  }
}
