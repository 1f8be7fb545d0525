import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { refusal } from '../../src/access/charge.js';
import { rateLimitHeaders } from '../../src/access/headers.js';
import { createLimiter, limiterOn } from '../../src/access/limiter.js';
import { MemoryStore } from '../../src/access/memory-store.js';
import type { Plan } from '../../src/access/plans.js';
import { loadConfig } from '../../src/config.js';

const start = 1_790_000_000_123;
const lenient = { tolerance: 1_000_000, first: 1000, longest: 1000 };
const day = 86_400_000;

function planOf(numbers: Partial<Plan>): Plan {
  return { name: 'test', requests: 5, seconds: 60, perDay: null, rights: [], ...numbers };
}

/** A memory store whose clock the test moves. */
function clocked(rules = lenient, capacity?: number) {
  const clock = { now: start };
  const store = new MemoryStore(rules, () => clock.now, capacity);
  return { clock, store, limiter: limiterOn(store) };
}

test('of 200 requests at once, a limit of 50 admits exactly 50', async () => {
  const { limiter } = clocked();
  const plan = planOf({ requests: 50 });
  const decisions = await Promise.all(Array.from({ length: 200 }, () => limiter.consume('a', plan, 1)));
  expect(decisions.filter((decision) => decision.admitted)).toHaveLength(50);
  expect((await limiter.consume('b', plan, 1)).admitted).toBe(true);
});

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

  test('is never told a negative remainder, and told to wait exactly until its request succeeds', async () => {
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

  test('a client that waits as told is served at its next request, whatever the blocks', async () => {
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

describe('the decision', () => {
  test('describes the window that is nearer to refusing', async () => {
    const { clock, limiter } = clocked();
    const plan = planOf({ name: 'free', requests: 3, seconds: 60, perDay: 4 });
    expect(await limiter.consume('a', plan, 2)).toEqual({
      admitted: true,
      blocked: false,
      limit: 3,
      windowSeconds: 60,
      remaining: 1,
      resetSeconds: 60,
      retryAfterSeconds: undefined,
      policy: '3;w=60;name="free"',
    });
    clock.now += 60_000;
    expect(await limiter.consume('a', plan, 1)).toMatchObject({
      limit: 4,
      remaining: 1,
      resetSeconds: 86_340,
      policy: '4;w=86400;name="free"',
    });
    await limiter.consume('a', plan, 1);
    expect(await limiter.consume('a', plan, 1)).toMatchObject({
      admitted: false,
      limit: 4,
      remaining: 0,
      resetSeconds: 86_340,
      retryAfterSeconds: 86_340,
    });
  });

  test('a refused request is not charged, and a look is not either', async () => {
    const { limiter } = clocked();
    const plan = planOf({ requests: 3 });
    await limiter.consume('a', plan, 2);
    expect(await limiter.consume('a', plan, 2)).toMatchObject({ admitted: false, remaining: 1 });
    expect(await limiter.peek('a', plan)).toMatchObject({ admitted: true, remaining: 1 });
    expect(await limiter.consume('a', plan, 1)).toMatchObject({ admitted: true, remaining: 0 });
    expect(await limiter.peek('a', plan)).toMatchObject({ admitted: false, remaining: 0 });
  });

  test('a request that costs more than the plan ever admits is refused without a wait that would not help', async () => {
    const { limiter } = clocked();
    const plan = planOf({ requests: 3 });
    await expect(limiter.consume('a', plan, 4)).rejects.toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
    expect(await limiter.peek('a', plan)).toMatchObject({ remaining: 3 });
  });

  test('becomes three headers for a key, and two more on a refusal', async () => {
    const { clock, limiter } = clocked();
    const plan = planOf({ name: 'free', requests: 1 });
    const admitted = await limiter.consume('a', plan, 1);
    clock.now += 500;
    const refused = await limiter.consume('a', plan, 1);
    const always = {
      'ratelimit-policy': '1;w=60;name="free"',
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
    };
    const wait = { 'ratelimit-reset': '60', 'retry-after': '60' };
    expect([admitted, refused].map(rateLimitHeaders)).toEqual([always, always]);
    expect(refusal(refused, plan).retryHeaders).toEqual(wait);
  });
});

describe('a client that goes on after 429', () => {
  const rules = { tolerance: 2, first: 120_000, longest: 400_000 };
  const plan = planOf({ requests: 1 });

  async function refuse(limiter: ReturnType<typeof limiterOn>, times: number) {
    const waits: (number | undefined)[] = [];
    for (let index = 0; index < times; index += 1)
      waits.push((await limiter.consume('a', plan, 1)).retryAfterSeconds);
    return waits;
  }

  test('is blocked beyond its window, each time twice as long, up to the longest', async () => {
    const { limiter } = clocked(rules);
    expect(await refuse(limiter, 13)).toEqual([
      undefined,
      ...[60, 60, 120],
      ...[120, 120, 240],
      ...[240, 240, 400],
      ...[400, 400, 400],
    ]);
    expect(await limiter.peek('a', plan)).toMatchObject({ admitted: false, blocked: true, remaining: 0 });
    expect(await limiter.peek('b', plan)).toMatchObject({ admitted: true });
  });

  test('is blocked for longer the next time, and for the first length again after a quiet time', async () => {
    const { clock, limiter } = clocked(rules);
    await refuse(limiter, 4);
    clock.now += 120_000;
    expect(await refuse(limiter, 4)).toEqual([undefined, 60, 60, 240]);
    clock.now += 240_000 + 400_000;
    expect(await refuse(limiter, 4)).toEqual([undefined, 60, 60, 120]);
  });

  test('is not blocked when it stops at the tolerance', async () => {
    const { clock, limiter } = clocked(rules);
    for (let minute = 0; minute < 10; minute += 1) {
      expect(await refuse(limiter, 3)).toEqual([undefined, 60, 60]);
      clock.now += 60_000;
    }
  });
});

test('a clock that is set back does not make a client wait longer than its window', async () => {
  const { clock, limiter } = clocked();
  const plan = planOf({ requests: 1, perDay: 2 });
  await limiter.consume('a', plan, 1);
  clock.now -= 30 * day;
  expect(await limiter.consume('a', plan, 1)).toMatchObject({ admitted: false, retryAfterSeconds: 60 });
});

describe('memory', () => {
  test('holds a bounded number of clients, and those that keep coming stay counted', async () => {
    const { store, limiter } = clocked(lenient, 100);
    const plan = planOf({ requests: 5 });
    for (let index = 0; index < 5; index += 1) await limiter.consume('regular', plan, 1);
    for (let index = 0; index < 1000; index += 1) {
      await limiter.consume(`passer-by ${index}`, plan, 1);
      if (index % 20 === 0) expect((await limiter.consume('regular', plan, 1)).admitted).toBe(false);
    }
    expect(store.size).toBeLessThanOrEqual(100);
  });

  test('is given back when clients stay away', async () => {
    const { clock, store, limiter } = clocked();
    for (let index = 0; index < 50; index += 1) await limiter.consume(`client ${index}`, planOf({}), 1);
    for (let round = 0; round < 3; round += 1) {
      clock.now += day + 10_000;
      await limiter.consume('another', planOf({}), 1);
    }
    expect(store.size).toBeLessThanOrEqual(2);
  });

  test('is not taken by looks', async () => {
    const { store, limiter } = clocked();
    await limiter.peek('a', planOf({}));
    expect(store.size).toBe(0);
  });
});

test('with RATE_LIMITS=off nobody is refused, and the headers of a key show a plan never used', async () => {
  const limiter = await createLimiter(loadConfig({ RATE_LIMITS: 'off' }), {
    log: pino({ level: 'silent' }),
    now: Date.now,
  });
  const plan = planOf({ name: 'free', requests: 2, perDay: 2 });
  const decisions = await Promise.all(Array.from({ length: 10 }, () => limiter.consume('a', plan, 1)));
  for (const decision of decisions) {
    expect(decision).toMatchObject({ admitted: true, remaining: 2, limit: 2 });
    expect(rateLimitHeaders(decision)).toMatchObject({ 'ratelimit-policy': '2;w=60;name="free"' });
  }
});
