import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Load } from '../shield/load.js';

/** How often to check whether requests still arrive, milliseconds. */
const LOOK_MS = 20;
/** Longest wait for requests to stop arriving, unless the quiet time itself is longer, milliseconds. */
const LONGEST_MS = 4000;
/** How long clients must have been silent after another process has taken over, milliseconds. */
const SILENT_MS = 1000;
/** Longest wait for that, milliseconds: requests in flight then have the rest of CUT_MS. */
const GIVE_WAY_MS = 6000;

/**
 * Makes health checks say that the servers will close, and resolves when no requests have arrived for `quiet`
 * milliseconds. A balancer on a busy machine notices late, so that after a fixed time requests would be
 * refused that were already on their way (seen: three of 1,340 in a rolling restart). Clients that reach a
 * gateway directly do not notice at all; the wait for them is at most 4 s.
 */
export async function drain(loads: readonly Load[], quiet: number): Promise<void> {
  for (const load of loads) load.announceClosing();
  await silence(loads, quiet, Math.max(quiet, LONGEST_MS));
}

/**
 * Lets another process that listens on the same ports take over: new connections are its own at once, and
 * connections that are open end with their next reply. Resolves when all is answered and no requests have
 * arrived for a second. Health checks do not report it, because the gateway continues.
 */
export async function giveWay(apps: readonly FastifyInstance[]): Promise<void> {
  // Not that of http, which also cuts connections whose next request may be on its way.
  for (const { server } of apps) Server.prototype.close.call(server);
  const loads = apps.map(({ load }) => load);
  for (const load of loads) load.giveWay();
  await silence(loads, SILENT_MS, GIVE_WAY_MS, ({ inFlight }) => inFlight > 0);
}

/** Resolves when no requests have arrived for `quiet` milliseconds; at most after `longest`. */
async function silence(
  loads: readonly Load[],
  quiet: number,
  longest: number,
  isBusy: (load: Load) => boolean = () => false,
): Promise<void> {
  const deadline = performance.now() + longest;
  const newest = () => Math.max(...loads.map(({ lastRequestAt }) => lastRequestAt));
  let last = newest();
  // It counts checks, not time: while this process stood still it saw no request.
  for (let looks = 0; looks * LOOK_MS < quiet && performance.now() < deadline; looks += 1) {
    await sleep(LOOK_MS);
    if (newest() === last && !loads.some(isBusy)) continue;
    last = newest();
    looks = 0;
  }
}
