import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clocked, day, planOf } from '../harness/clocked-limiter.js';

describe('one client, any sequence of requests and pauses', () => {
  const plans = fc.record({
    requests: fc.integer({ min: 1, max: 8 }),
    seconds: fc.integer({ min: 1, max: 90 }),
    perDay: fc.option(fc.integer({ min: 8, max: 20 })),
  });
  const rules = fc.record({
    tolerance: fc.integer({ min: 0, max: 4 }),
    first: fc.integer({ min: 1, max: 200_000 }),
    longest: fc.integer({ min: 200_000, max: 900_000 }),
  });
  const pauses = fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 100_000 }),
    fc.integer({ min: 1, max: day }),
  );
  const requests = fc.array(fc.record({ pause: pauses, cost: fc.integer({ min: 1, max: 8 }) }), {
    maxLength: 60,
  });

  test('never gets a negative remainder, and a time to wait that is exactly until its request succeeds', async () => {
    await fc.assert(
      fc.asyncProperty(plans, rules, requests, async (numbers, blockRules, trace) => {
        const plan = planOf(numbers);
        const { clock, store, limiter } = clocked(blockRules);
        for (const { pause, cost: wanted } of trace) {
          clock.now += pause;
          const cost = Math.min(wanted, plan.requests);
          const wasAdmissible = store.step('a', plan, cost, false).admitted;
          const decision = await limiter.consume('a', plan, cost);
          expect(decision.admitted).toBe(wasAdmissible);
          expect(decision.remaining).toBeGreaterThanOrEqual(0);
          expect(decision.remaining).toBeLessThanOrEqual(decision.limit);
          expect(decision.resetSeconds).toBeGreaterThanOrEqual(1);
          if (decision.admitted) continue;
          expect(decision.retryAfterSeconds).toBe(decision.resetSeconds);
          const now = clock.now;
          clock.now = now + (decision.resetSeconds - 1) * 1000;
          expect(store.step('a', plan, cost, false).admitted).toBe(false);
          clock.now = now + decision.resetSeconds * 1000;
          expect(store.step('a', plan, cost, false).admitted).toBe(true);
          clock.now = now;
        }
      }),
    );
  });

  test('gets in each window what a list of all its admitted requests allows, and no less', async () => {
    await fc.assert(
      fc.asyncProperty(plans, requests, async (numbers, trace) => {
        const plan = planOf(numbers);
        const { clock, limiter } = clocked();
        const short = modelWindow(plan.requests, plan.seconds * 1000);
        const whole = modelWindow(plan.perDay ?? Infinity, day);
        for (const { pause, cost: wanted } of trace) {
          clock.now += pause;
          const cost = Math.min(wanted, plan.requests);
          const room = Math.min(short.room(clock.now), whole.room(clock.now));
          const decision = await limiter.consume('a', plan, cost);
          expect(decision.admitted).toBe(cost <= room);
          expect(decision.remaining).toBe(decision.admitted ? room - cost : room);
          if (!decision.admitted) continue;
          short.add(clock.now, cost);
          whole.add(clock.now, cost);
        }
      }),
    );
  });

  test('a client that waits as long as the refusal says is served at its next request, whatever the blocks', async () => {
    await fc.assert(
      fc.asyncProperty(plans, rules, requests, async (numbers, blockRules, trace) => {
        const plan = planOf(numbers);
        const { clock, limiter } = clocked(blockRules);
        for (const { pause } of trace) {
          clock.now += pause;
          const decision = await limiter.consume('a', plan, 1);
          if (decision.admitted) continue;
          clock.now += (decision.retryAfterSeconds ?? 0) * 1000;
          expect((await limiter.consume('a', plan, 1)).admitted).toBe(true);
        }
      }),
    );
  });
});

/** Every admitted request, kept; a window begins with the first one after the last window's end. */
function modelWindow(limit: number, length: number) {
  const admitted: { at: number; cost: number }[] = [];
  function current(now: number) {
    let begin = -Infinity;
    for (const { at } of admitted) if (at >= begin + length) begin = at;
    return now < begin + length ? admitted.filter(({ at }) => at >= begin) : [];
  }
  return {
    room: (now: number) => limit - current(now).reduce((sum, { cost }) => sum + cost, 0),
    add: (at: number, cost: number) => admitted.push({ at, cost }),
  };
}
