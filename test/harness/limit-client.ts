import { pino } from 'pino';
import { limiterOn } from '../../src/access/limiter.js';
import { MemoryStore } from '../../src/access/memory-store.js';
import type { Plan } from '../../src/access/plans.js';
import { RedisStore } from '../../src/access/redis-store.js';

/** A message of the parent: send so many requests at once. */
export interface LimitJob {
  url: string;
  identity: string;
  plan: Plan;
  requests: number;
}

const rules = { tolerance: 1000, first: 60_000, longest: 60_000 };

/** Does one job and reports how many requests were admitted. */
async function run({ url, identity, plan, requests }: LimitJob): Promise<void> {
  const fallback = new MemoryStore(rules, Date.now);
  // Four processes start on two cores at once: an answer may be late, and must still come from Redis.
  const store = new RedisStore({ url, rules, fallback, log: pino({ level: 'silent' }), timeoutMs: 20_000 });
  const limiter = limiterOn(store);
  const decisions = await Promise.all(
    Array.from({ length: requests }, () => limiter.consume(identity, plan, 1)),
  );
  process.send?.(decisions.filter((decision) => decision.admitted).length, () => process.disconnect());
  limiter.close();
}

process.once('message', (job) => void run(job as LimitJob));
process.send?.('ready');
