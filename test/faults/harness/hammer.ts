import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { send, type Sent } from './send.js';

export interface HammerOptions {
  url: string;
  /** Connections, on each of which a request follows the answer of the one before. */
  connections: number;
  /** Requests a second in all, at most; absent: as fast as they are answered. */
  perSecond?: number;
  /** The loopback address to come from: another caller than the honest one. */
  localAddress?: string;
  headers?: Record<string, string>;
}

/**
 * Sends requests without end, from one address, until it is stopped.
 *
 * @param make the request of a number, from 0 on
 * @returns a function that stops it, and returns how often each status was answered
 */
export function hammer(
  { url, connections, perSecond = Infinity, localAddress = '127.0.0.2', headers = {} }: HammerOptions,
  make: (number: number) => Sent,
): { stop: () => Promise<string> } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const statuses = new Map<number, number>();
  const start = performance.now();
  let number = 0;
  let stopped = false;
  onTestFinished(() => void (stopped = true));
  const running = Array.from({ length: connections }, async () => {
    while (!stopped) {
      const own = number;
      number += 1;
      await sleep(Math.max(0, start + (own * 1000) / perSecond - performance.now()));
      const { status } = await send(url, make(own), { agent, localAddress, headers });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(running);
      agent.destroy();
      const counts = [...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${count} × ${status || 'cut'}`);
      return `the attacker got ${counts.join(', ')}`;
    },
  };
}
