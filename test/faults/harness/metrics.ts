import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './send.js';

/** The value of a metric without labels; NaN when there is none. */
export async function metric(url: string, name: string): Promise<number> {
  const { text } = await send(url, { path: '/metrics' }, { timeoutMs: 10_000 });
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Requests in flight, once there are none, or after `milliseconds`. */
export async function requestsLeft(url: string, milliseconds: number): Promise<number> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const inFlight = await metric(url, 'moraine_http_requests_in_flight');
    if (inFlight === 0 || performance.now() > deadline) return inFlight;
    await sleep(100);
  }
}

/**
 * Requests /health each 100 ms, as an orchestrator would, on the clients' port and on the one for monitoring;
 * returns how long the longest answers took.
 */
export function watchHealth(
  url: string,
  watchersUrl: string,
): { stop: () => Promise<{ note: string; failed: number }> } {
  let stopped = false;
  let failed = 0;
  const watch = async (each: string) => {
    let worst = 0;
    while (!stopped) {
      const start = performance.now();
      const { status } = await send(each, { path: '/health' });
      worst = Math.max(worst, performance.now() - start);
      if (status !== 200) failed += 1;
      await sleep(100);
    }
    return Math.round(worst);
  };
  const watching = Promise.all([watch(url), watch(watchersUrl)]);
  return {
    async stop() {
      stopped = true;
      const [worst, own] = await watching;
      return { note: `/health at worst ${worst} ms, on a port of its own ${own} ms`, failed };
    },
  };
}
