import { hash } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { redisMissing, startRedis, type TestRedis } from '../harness/redis.js';

const sha256 = (text: string) => hash('sha256', text, 'hex');
const documentOf = (name: string) => `{ serviceConfig { maxPageSize } } # ${name}`;

describe.skipIf(redisMissing)(
  `documents that gateways share in Redis${redisMissing ? ` (skipped: ${redisMissing})` : ''}`,
  () => {
    let redis: TestRedis;
    let client: Redis;
    let gateways: TestApp[];

    beforeAll(async () => {
      redis = await startRedis();
      client = new Redis(redis.url, { retryStrategy: () => 50 });
      client.on('error', () => undefined);
      const env = { RATE_LIMITS: 'on', REDIS_URL: redis.url, DOCUMENT_CACHE_MB: '1' };
      gateways = [await createApp(env), await createApp(env)];
    });
    afterAll(async () => {
      client.disconnect();
      for (const gateway of gateways) await gateway.close();
      await redis.stop();
    });

    async function send(index: number, query: string | undefined, text = query ?? '') {
      const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(text) } };
      const reply = await gateways[index]!.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ query, extensions }),
      });
      const { data, errors } = reply.json<{ data?: unknown; errors?: { message: string }[] }>();
      return errors?.[0]?.message ?? data;
    }
    const found = { serviceConfig: { maxPageSize: 100 } };
    const byHash = (index: number, text: string) => send(index, undefined, text);

    test('what one has learnt, another knows', async () => {
      const text = documentOf('shared');
      expect(await byHash(1, text)).toBe('PersistedQueryNotFound');
      expect(await send(0, text)).toEqual(found);
      expect(await byHash(1, text)).toEqual(found);
    });

    test('a text that somebody else put under a hash is not run', async () => {
      const text = documentOf('forged');
      await client.hset('moraine:{documents}:texts', sha256(text), '{ __typename }');
      expect(await byHash(0, text)).toBe('PersistedQueryNotFound');
      await client.set('moraine:{documents}:used', 'no list');
      expect(await send(0, text)).toEqual(found);
      expect(await byHash(1, text)).toEqual(found);
    });

    test('they are bounded in bytes, and the least used goes first', async () => {
      const texts = Array.from({ length: 24 }, (_none, index) => documentOf(`${index} ${'x'.repeat(8000)}`));
      for (const text of texts) {
        expect(await send(0, text)).toEqual(found);
        await client.zadd('moraine:{documents}:used', Date.now() + 60_000, sha256(texts[0] as string));
      }
      const kept = await client.hvals('moraine:{documents}:texts');
      const bytes = kept.join('').length;
      expect(bytes).toBeLessThanOrEqual(2 ** 17);
      expect(Number(await client.get('moraine:{documents}:bytes'))).toBe(bytes);
      expect(kept).toContain(texts[0]);
      expect(kept).not.toContain(texts[1]);
      expect(kept).toContain(texts[23]);
      expect(await client.pttl('moraine:{documents}:texts')).toBeGreaterThan(0);
    });

    test('without Redis each gateway knows what it learnt itself', async () => {
      await redis.kill();
      const text = documentOf('alone');
      expect(await send(0, text)).toEqual(found);
      expect(await byHash(0, text)).toEqual(found);
      expect(await byHash(1, text)).toBe('PersistedQueryNotFound');
    });
  },
);
