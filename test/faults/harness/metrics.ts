import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './send.js';

/** The value of a metric without labels; NaN when there is none. */
export async function metric(url: string, name: string): Promise<number> {
  const { text } = await send(url, { path: '/metrics' }, { timeoutMs: 10_000 });
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Slots in flight, once there are none, or after `milliseconds`. */
export async function slotsLeft(url: string, milliseconds: number): Promise<number> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const slots = await metric(url, 'http_requests_in_flight');
    if (slots === 0 || performance.now() > deadline) return slots;
    await sleep(100);
  }
}

/** Asks for /health each 100 ms, as an orchestrator would; tells how long the longest answer took. */
export function watchHealth(url: string): { stop: () => Promise<{ worst: number; failed: number }> } {
  let stopped = false;
  let worst = 0;
  let failed = 0;
  const watching = (async () => {
    while (!stopped) {
      const start = performance.now();
      const { status } = await send(url, { path: '/health' });
      worst = Math.max(worst, performance.now() - start);
      if (status !== 200) failed += 1;
      await sleep(100);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await watching;
      return { worst, failed };
    },
  };
}
