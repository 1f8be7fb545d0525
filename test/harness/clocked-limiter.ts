import { limiterOn } from '../../src/access/limiter.js';
import { MemoryStore } from '../../src/access/memory-store.js';
import type { Plan } from '../../src/access/plans.js';

const start = 1_790_000_000_123;
/** Rules that never block anybody. */
export const lenient = { tolerance: 1_000_000, first: 1000, longest: 1000 };
export const day = 86_400_000;

export function planOf(numbers: Partial<Plan>): Plan {
  return {
    name: 'test',
    requests: 5,
    seconds: 60,
    perDay: null,
    streams: 10,
    events: 5,
    rights: [],
    ...numbers,
  };
}

/** A limiter in memory whose clock the test moves. */
export function clocked(rules = lenient, capacity?: number) {
  const clock = { now: start };
  const store = new MemoryStore(rules, () => clock.now, capacity);
  return { clock, store, limiter: limiterOn(store) };
}
