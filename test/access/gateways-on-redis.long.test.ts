import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { createKeyStore, type KeyStore } from '../../src/access/key-store.js';
import { loadConfig } from '../../src/config.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { listPath, listQuery } from '../harness/keys.js';
import { startMoraine, type MoraineProcess } from '../harness/moraine.js';
import { redisMissing, startRedis, type TestRedis } from '../harness/redis.js';

const log = pino({ level: 'silent' });
const plans = {
  fifty: { requests: 50, seconds: 3600 },
  endless: { requests: 1_000_000, seconds: 3600, perDay: null },
  'fifty-calls': {
    requests: 1_000_000,
    seconds: 3600,
    perDay: null,
    fields: { 'Query.utxos': { calls: 50, seconds: 3600 } },
  },
};
const post = { method: 'POST', body: JSON.stringify({ query: listQuery }) };

describe.skipIf(redisMissing)(
  `gateway processes on one Redis${redisMissing ? ` (skipped: ${redisMissing})` : ''}`,
  () => {
    let database: TestDatabase;
    let redis: TestRedis;
    let storage: Storage;
    let keys: KeyStore;
    let gateways: MoraineProcess[];

    beforeAll(async () => {
      database = await createDatabase();
      redis = await startRedis();
      storage = await openStorage(loadConfig({ DATABASE_URL: database.url, DATABASE_POOL: '2' }), log);
      keys = createKeyStore(storage.prisma, { log, now: Date.now });
      const env = {
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        PLANS: JSON.stringify(plans),
        PORT: '0',
        SAMPLE: 'off',
        WORKER: 'off',
        LOG_LEVEL: 'silent',
        RATE_LIMIT_TOLERANCE: '100000',
      };
      gateways = await Promise.all(
        Array.from({ length: 4 }, () => startMoraine('serve', env, /http:\/\/127\.0\.0\.1:\d+(?=\/$)/)),
      );
      // What is slow the first time (documents, statements, connections) is behind them when it counts.
      const warm = await newKey('endless');
      for (const gateway of gateways) for (const send of [rest, graphql]) await send(gateway, warm);
    });

    afterAll(async () => {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await storage.close();
      await redis.stop();
      await database.drop();
    });

    async function newKey(plan: keyof typeof plans): Promise<string> {
      return (await keys.create({ name: 'test', plan, rights: null, expiresAt: null })).key;
    }

    async function statusOf(gateway: MoraineProcess, path: string, key: string, init: RequestInit = {}) {
      const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
      const reply = await fetch(`${gateway.ready}${path}`, { ...init, headers });
      await reply.arrayBuffer();
      return { status: reply.status, remaining: Number(reply.headers.get('ratelimit-remaining')) };
    }
    const rest = (gateway: MoraineProcess, key: string) => statusOf(gateway, listPath, key);
    const graphql = (gateway: MoraineProcess, key: string) => statusOf(gateway, '/graphql', key, post);

    /** Of 200 requests at once, spread over all gateways and the given doors. */
    async function admittedOf200(
      doors: (typeof rest)[],
      plan: keyof typeof plans = 'fifty',
    ): Promise<number> {
      const key = await newKey(plan);
      const replies = await Promise.all(
        Array.from({ length: 200 }, (_, index) => {
          const door = doors[Math.floor(index / gateways.length) % doors.length] as typeof rest;
          return door(gateways[index % gateways.length] as MoraineProcess, key);
        }),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
      return replies.filter(({ status }) => status === 200).length;
    }

    test('four of them with 200 requests at once admit exactly the 50 of the limit, through either door and both', async () => {
      expect(await admittedOf200([rest])).toBe(50);
      expect(await admittedOf200([graphql])).toBe(50);
      expect(await admittedOf200([rest, graphql])).toBe(50);
    });

    test('and exactly the 50 calls of a field with a limit of its own', async () => {
      for (const doors of [[rest], [graphql], [rest, graphql]])
        expect(await admittedOf200(doors, 'fifty-calls')).toBe(50);
    });

    test('with Redis killed during 20 s of load answer every request, and are exact again when it is back', async () => {
      const busy = await newKey('endless');
      const statuses = new Map<number, number>();
      const end = Date.now() + 20_000;
      let loaded = true;
      const load = Array.from({ length: 8 }, async (_, client) => {
        const gateway = gateways[client % gateways.length] as MoraineProcess;
        while (loaded || Date.now() < end) {
          const { status } = await (client % 2 ? rest : graphql)(gateway, busy);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          await sleep(100);
        }
      });
      try {
        await sleep(5000);
        await redis.kill();
        await sleep(7000);
        await redis.restart();
        // A key counted by one gateway is counted by all once they share Redis again.
        while (!(await countTogether())) await sleep(100);
        expect(await admittedOf200([rest, graphql])).toBe(50);
      } finally {
        loaded = false;
        await Promise.all(load);
      }
      expect([...statuses.keys()]).toEqual([200]);
      // A load, and not one request of each client that waited for the lost server all the time.
      expect(statuses.get(200)).toBeGreaterThan(200);
    });

    async function countTogether(): Promise<boolean> {
      const key = await newKey('fifty');
      const remaining = [];
      for (const gateway of gateways) remaining.push((await rest(gateway, key)).remaining);
      return remaining.join() === '49,48,47,46';
    }
  },
);
