import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { blockRules, createLimiter, type Limiter, limiterOn } from '../../src/access/limiter.js';
import { MemoryStore } from '../../src/access/memory-store.js';
import type { Plan } from '../../src/access/plans.js';
import { RedisStore } from '../../src/access/redis-store.js';
import { loadConfig } from '../../src/config.js';
import type { LimitJob } from '../harness/limit-client.js';
import { captureLog, type CapturedLog } from '../harness/log.js';
import { redisMissing, startRedis, type TestRedis } from '../harness/redis.js';

const plan: Plan = {
  name: 'test',
  requests: 50,
  seconds: 3600,
  perDay: 1000,
  streams: 10,
  events: 10,
  rights: [],
};

async function open(url: string, captured: CapturedLog): Promise<Limiter> {
  const limiter = await createLimiter(loadConfig({ REDIS_URL: url }), { log: captured.log, now: Date.now });
  onTestFinished(() => limiter.close());
  return limiter;
}

async function admittedOf(limiters: Limiter[], identity: string, requests: number): Promise<number> {
  const decisions = await Promise.all(
    Array.from({ length: requests }, (_, index) =>
      (limiters[index % limiters.length] as Limiter).consume(identity, plan, 1),
    ),
  );
  return decisions.filter((decision) => decision.admitted).length;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

function saysBack({ lines }: CapturedLog): boolean {
  return lines.some((line) => line.msg.startsWith('Redis can be used again'));
}

function warnings({ lines }: CapturedLog): string[] {
  return lines.filter((line) => line.level >= 40).map((line) => line.msg);
}

describe.skipIf(redisMissing)(`limits on Redis${redisMissing ? ` (skipped: ${redisMissing})` : ''}`, () => {
  let redis: TestRedis;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(() => redis.stop());

  test('four processes with 200 requests at once admit exactly the 50 of the limit', async () => {
    const script = new URL('../harness/limit-client.ts', import.meta.url);
    const children = Array.from({ length: 4 }, () => fork(script, { execArgv: ['--import', 'tsx'] }));
    await Promise.all(children.map((child) => once(child, 'message')));
    const job: LimitJob = { url: redis.url, identity: 'four processes', plan, requests: 50 };
    const counts = await Promise.all(children.map((child) => answerOf(child, job)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50);
  });

  test('a value of another type under the key of one client is removed, and Redis counts on for all', async () => {
    const captured = captureLog();
    const limiter = await open(redis.url, captured);
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    await client.set('moraine:limit:foreign', 'text');
    await client.hset('moraine:limit:words', { shortUsed: 'many', dayStart: 'never' });
    await client.set('moraine:calls:log foreign', 'text');
    expect(await admittedOf([limiter], 'foreign', 60)).toBe(50);
    expect(await admittedOf([limiter], 'words', 60)).toBe(50);
    const log = limiter.callLog('log', { calls: 5, seconds: 60 });
    expect(await log.append('foreign', 1, Date.now())).toEqual([]);
    expect(await log.append('foreign', 1, Date.now())).toHaveLength(1);
    expect(limiter.figures.redisUsed).toBe(true);
    expect(warnings(captured)).not.toContainEqual(expect.stringContaining('cannot be used'));
  });

  test('what is given back can be taken again, as in memory', async () => {
    const memory = limiterOn(new MemoryStore(blockRules(loadConfig({})), Date.now));
    for (const limiter of [await open(redis.url, captureLog()), memory]) {
      for (let step = 0; step < 50; step += 1) await limiter.consume('given back', plan, 1);
      expect((await limiter.consume('given back', plan, 1)).admitted).toBe(false);
      await limiter.giveBack('given back', plan, 2);
      expect(await admittedOf([limiter], 'given back', 5)).toBe(2);
      await limiter.giveBack('given back', plan, 1_000);
      expect((await limiter.peek('given back', plan)).remaining).toBe(50);
    }
  });

  test('the script decides as memory does, over any sequence of requests, plans and pauses', async () => {
    const numbers = fc.record({
      requests: fc.integer({ min: 1, max: 6 }),
      seconds: fc.integer({ min: 30, max: 90 }),
      perDay: fc.option(fc.integer({ min: 6, max: 20 })),
    });
    const rules = fc.record({
      tolerance: fc.integer({ min: 0, max: 3 }),
      first: fc.integer({ min: 30_000, max: 200_000 }),
      longest: fc.integer({ min: 200_000, max: 900_000 }),
    });
    // Mostly in quick succession, so that clients run into limits and from there into blocks.
    const pause = fc.oneof(
      { weight: 12, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.integer({ min: -5000, max: 100_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 86_400_000 }) },
    );
    const charge = fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false));
    const requests = fc.array(
      fc.record({ pause, cost: fc.integer({ min: 1, max: 6 }), charge, other: fc.boolean() }),
      { minLength: 20, maxLength: 120 },
    );
    const captured = captureLog();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(numbers, numbers, rules, requests, async (first, second, blockRules, trace) => {
        const clock = { now: 1_790_000_000_123 };
        const memory = new MemoryStore(blockRules, () => clock.now);
        const nobody = new MemoryStore(blockRules, () => clock.now);
        const { log } = captured;
        const store = new RedisStore({
          url: redis.url,
          rules: blockRules,
          fallback: nobody,
          log,
          timeoutMs: 20_000,
          now: () => clock.now,
        });
        round += 1;
        for (const { pause, cost: wanted, charge, other } of trace) {
          clock.now += pause;
          const present: Plan = { ...plan, ...(other ? second : first), perDay: first.perDay };
          const cost = Math.min(wanted, present.requests);
          const expected = memory.step('a', present, cost, charge);
          expect(await store.step(`round ${round}`, present, cost, charge)).toEqual(expected);
        }
        store.close();
      }),
      { numRuns: 60 },
    );
    expect(captured.lines).toEqual([]);
  });

  test('a client that has to wait is served by the clock of Redis', async () => {
    const captured = captureLog();
    const limiter = await open(redis.url, captured);
    const brief: Plan = { ...plan, requests: 2, seconds: 1 };
    const first = await Promise.all([1, 2, 3].map(() => limiter.consume('brief', brief, 1)));
    expect(first.map((decision) => decision.admitted).sort()).toEqual([false, true, true]);
    const wait = first.find((decision) => !decision.admitted)?.retryAfterSeconds ?? 0;
    await sleep(wait * 1000);
    expect((await limiter.consume('brief', brief, 1)).admitted).toBe(true);
  });
});

describe.skipIf(redisMissing)(`Redis trouble${redisMissing ? ` (skipped: ${redisMissing})` : ''}`, () => {
  test('killed under load: every request is decided, one warning is logged, and limits are exact when it is back', async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const captured = captureLog();
    const other = captureLog();
    const limiters = [await open(redis.url, captured), await open(redis.url, other)];
    let loaded = true;
    let decided = 0;
    const load = Array.from({ length: 8 }, async (_, client) => {
      while (loaded) {
        const decision = await (limiters[client % 2] as Limiter).consume(`client ${client}`, plan, 1);
        expect(decision.remaining).toBeGreaterThanOrEqual(0);
        decided += 1;
        await sleep(1);
      }
    });
    await until(() => decided > 500);
    await redis.kill();
    const atKill = decided;
    await until(() => decided > atKill + 500);
    expect(await admittedOf([limiters[0] as Limiter], 'without Redis', 200)).toBe(50);
    await redis.restart();
    await until(() => saysBack(captured) && saysBack(other));
    expect(await admittedOf(limiters, 'with Redis again', 200)).toBe(50);
    loaded = false;
    await Promise.all(load);
    expect(warnings(captured)).toEqual([
      'Redis cannot be used: this gateway counts rate limits in its own memory',
    ]);
  });

  test('a Redis that hangs holds up the requests under way once, and none after them', async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const captured = captureLog();
    const limiter = await open(redis.url, captured);
    expect(await admittedOf([limiter], 'before', 200)).toBe(50);
    redis.pause();
    expect(await admittedOf([limiter], 'during', 200)).toBe(50);
    // One after the other; were each held up for the time-out, the test would run into its own.
    for (let index = 0; index < 200; index += 1) await limiter.consume('one by one', plan, 1);
    expect(warnings(captured)).toHaveLength(1);
    redis.resume();
    await until(() => saysBack(captured));
    expect(await admittedOf([limiter], 'after', 200)).toBe(50);
  });

  test('a Redis that is not there at start is used once it is', async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    await redis.kill();
    const captured = captureLog();
    const limiter = await open(redis.url, captured);
    expect(await admittedOf([limiter], 'early', 200)).toBe(50);
    await redis.restart();
    await until(() => saysBack(captured));
    expect(await admittedOf([limiter], 'late', 200)).toBe(50);
    expect(warnings(captured)).toHaveLength(1);
  });

  test('a refused password is neither fatal nor logged', async () => {
    const redis = await startRedis({ password: 'right-password' });
    onTestFinished(redis.stop);
    const captured = captureLog();
    const limiter = await open(redis.url.replace('right-password', 'wrong-password'), captured);
    expect(await admittedOf([limiter], 'a', 200)).toBe(50);
    expect(warnings(captured)).toHaveLength(1);
    expect(captured.text()).not.toContain('wrong-password');
  });
});

async function answerOf(child: ChildProcess, job: LimitJob): Promise<number> {
  const answer = once(child, 'message');
  child.send(job);
  return ((await answer) as [number])[0];
}
