import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limiterOn } from '../src/access/limiter.js';
import { MemoryStore } from '../src/access/memory-store.js';
import { resolvePlans } from '../src/access/plans.js';
import type { Usage } from './harness/usage.js';

const clients = 100_000;
const decisions = 1_000_000;

export const usage: Usage = {
  about: 'The memory of 100,000 remembered clients, and the cost of one decision among them.',
  options: {},
};

export async function run(): Promise<void> {
  const identities = Array.from({ length: clients }, (_, index) => {
    const address = [(index >> 16) & 255, (index >> 8) & 255, index & 255];
    return `ip:10.${address.join('.')}`;
  });
  // Visited in an order that no cache predicts; 48,271 and 100,000 share no factor.
  const order = Uint32Array.from({ length: decisions }, (_, index) => (index * 48_271) % clients);
  const { anonymous: plan } = resolvePlans();
  const rules = { tolerance: 200, first: 60_000, longest: 3_600_000 };

  const before = heapBytes();
  const store = new MemoryStore(rules, Date.now);
  const limiter = limiterOn(store);
  for (const identity of identities) await limiter.consume(identity, plan, 1);
  const used = heapBytes() - before;
  print(
    `${store.size} clients: ${(used / 2 ** 20).toFixed(1)} MiB, ${Math.round(used / clients)} bytes each`,
  );

  const table = new Map(identities.map((identity) => [identity, { count: 0 }]));
  const floor = await microseconds(() => {
    for (const index of order) {
      const entry = table.get(identities[index] ?? '');
      if (entry) entry.count += 1;
    }
  });
  const step = await microseconds(() => {
    for (const index of order) store.step(identities[index] ?? '', plan, 1, true);
  });
  const consume = await microseconds(async () => {
    for (const index of order) await limiter.consume(identities[index] ?? '', plan, 1);
  });
  print(`one Map lookup ${floor.toFixed(2)} µs`);
  print(`one step of the store ${step.toFixed(2)} µs, ${(step / floor).toFixed(1)} lookups`);
  print(`one decision, awaited ${consume.toFixed(2)} µs, ${(consume / floor).toFixed(1)} lookups`);

  for (let index = 0; index < 4 * clients; index += 1) await limiter.consume(`ip:other ${index}`, plan, 1);
  print(
    `after ${5 * clients} clients ${store.size} are remembered: ${((heapBytes() - before) / 2 ** 20).toFixed(1)} MiB`,
  );
}

async function microseconds(work: () => void | Promise<void>): Promise<number> {
  await work();
  const begin = performance.now();
  await work();
  return ((performance.now() - begin) * 1000) / decisions;
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

function print(line: string): void {
  process.stdout.write(`limiter: ${line}\n`);
}
