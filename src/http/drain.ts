import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './load.js';

/** How often it is looked whether requests still come, milliseconds. */
const LOOK_MS = 20;
/** Longest time that requests are waited for that do not cease, unless the quiet time itself is longer, milliseconds. */
const LONGEST_MS = 4000;

/**
 * Has health checks say that the servers will close, and resolves when whoever sends them requests has heeded it: after
 * `quiet` milliseconds without any. A balancer on a busy machine hears of it late, so that a fixed time would close the
 * door on requests that were already on their way (seen: three of 1,340 in a rolling restart). Clients that ask a
 * gateway directly heed nothing; they are waited for 4 s at most.
 */
export async function drain(loads: readonly Load[], quiet: number): Promise<void> {
  const deadline = performance.now() + Math.max(quiet, LONGEST_MS);
  const newest = () => Math.max(...loads.map(({ lastRequestAt }) => lastRequestAt));
  for (const load of loads) load.announceClosing();
  let last = newest();
  // Counted in looks, not by the clock: while this process stood still it saw nobody.
  for (let looks = 0; looks * LOOK_MS < quiet && performance.now() < deadline; looks += 1) {
    await sleep(LOOK_MS);
    if (newest() === last) continue;
    last = newest();
    looks = 0;
  }
}
