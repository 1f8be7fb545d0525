import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemoryCallLog } from '../../src/access/call-log.js';
import { MemoryStore } from '../../src/access/memory-store.js';
import { RedisStore } from '../../src/access/redis-store.js';
import { captureLog } from '../harness/log.js';
import { redisMissing, startRedis, type TestRedis } from '../harness/redis.js';

const rules = { tolerance: 0, first: 1000, longest: 1000 };
const begin = 1_790_000_000_123;

describe('calls in memory', () => {
  test('are forgotten when their window is over, by whichever of the callers', () => {
    const log = new MemoryCallLog({ calls: 2, seconds: 10 });
    expect(log.append('a', 2, begin)).toEqual([]);
    expect(log.append('b', 1, begin + 9999)).toEqual([]);
    expect(log.append('a', 1, begin + 9999)).toEqual([begin, begin]);
    expect(log.append('a', 1, begin + 10_000)).toEqual([]);
    expect(log.append('a', 0, begin + 10_001)).toEqual([begin + 10_000]);
  });

  test('are not kept longer because the clock was set back', () => {
    const log = new MemoryCallLog({ calls: 1, seconds: 10 });
    log.append('a', 1, begin);
    expect(log.append('a', 1, begin - 3_600_000)).toEqual([begin - 3_600_000]);
    expect(log.append('a', 1, begin - 3_590_000)).toEqual([]);
  });
});

describe.skipIf(redisMissing)(`calls on Redis${redisMissing ? ` (skipped: ${redisMissing})` : ''}`, () => {
  let redis: TestRedis;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  test('are remembered as memory does, over any sequence of calls, looks, returns and pauses', async () => {
    const captured = captureLog();
    const fallback = new MemoryStore(rules, Date.now);
    const store = new RedisStore({
      url: redis.url,
      rules,
      fallback,
      log: captured.log,
      timeoutMs: 20_000,
    });
    const limits = fc.record({
      calls: fc.integer({ min: 1, max: 8 }),
      seconds: fc.integer({ min: 60, max: 90 }),
    });
    const pause = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 10_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: -100_000, max: 100_000 }) },
    );
    const step = fc.record({ pause, calls: fc.integer({ min: 0, max: 4 }), back: fc.boolean() });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { minLength: 10, maxLength: 60 }), async (limit, trace) => {
        const memory = new MemoryCallLog(limit);
        const shared = store.callLog(`Query.field ${(round += 1)}`, limit);
        let now = begin;
        for (const { pause, calls, back } of trace) {
          now += pause;
          const earlier = memory.append('a', calls, now);
          expect(await shared.append('a', calls, now)).toEqual(earlier);
          if (!back || calls === 0 || earlier.length + calls > limit.calls) continue;
          memory.takeBack('a', calls);
          await shared.takeBack('a', calls);
        }
      }),
      { numRuns: 60 },
    );
    store.close();
    expect(captured.lines).toEqual([]);
  });

  test('are kept apart by field and by caller, and gone from Redis after their window', async () => {
    const { log } = captureLog();
    const store = new RedisStore({ url: redis.url, rules, log, fallback: new MemoryStore(rules, Date.now) });
    const utxos = store.callLog('UtxoConnection.totalCount free', { calls: 5, seconds: 1 });
    const vertices = store.callLog('VertexConnection.totalCount free', { calls: 5, seconds: 1 });
    await utxos.append('a', 2, begin);
    expect(await utxos.append('a', 0, begin)).toEqual([begin, begin]);
    expect(await utxos.append('b', 0, begin)).toEqual([]);
    expect(await vertices.append('a', 0, begin)).toEqual([]);
    // By the caller's clock they are still there; Redis' own has let the key go.
    await expect.poll(() => utxos.append('a', 0, begin), { timeout: 20_000 }).toEqual([]);
    store.close();
  });
});
