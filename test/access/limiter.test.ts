import { describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { refusal } from '../../src/access/charge.js';
import { rateLimitHeaders } from '../../src/access/headers.js';
import { createLimiter, type limiterOn } from '../../src/access/limiter.js';
import { loadConfig } from '../../src/config.js';
import { clocked, day, lenient, planOf } from '../harness/clocked-limiter.js';

test('of 200 requests at once, a limit of 50 admits exactly 50', async () => {
  const { limiter } = clocked();
  const plan = planOf({ requests: 50 });
  const decisions = await Promise.all(Array.from({ length: 200 }, () => limiter.consume('a', plan, 1)));
  expect(decisions.filter((decision) => decision.admitted)).toHaveLength(50);
  expect((await limiter.consume('b', plan, 1)).admitted).toBe(true);
});

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
      60,
      60,
      120,
      120,
      120,
      240,
      240,
      240,
      400,
      400,
      400,
      400,
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
