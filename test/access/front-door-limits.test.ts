import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath, listQuery, makeKey } from '../harness/keys.js';

const plans = {
  fifty: { requests: 50, seconds: 3600, perDay: null },
  brief: { requests: 3, seconds: 10, perDay: 12 },
};
let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({
    RATE_LIMITS: 'on',
    PLANS: JSON.stringify(plans),
    RATE_LIMIT_TOLERANCE: '500',
    RATE_LIMIT_BLOCK_SECONDS: '60',
    RATE_LIMIT_BLOCK_MAX_SECONDS: '600',
    // So that one caller's share of requests in flight, a quarter, is more than what is sent at once here.
    MAX_REQUESTS_IN_FLIGHT: '1024',
  });
});
afterAll(() => gateway.close());

const newKey = async (plan: keyof typeof plans) => (await makeKey(gateway, plan)).key;

function viaRest(key: string) {
  return gateway.app.inject({ url: listPath, headers: { 'x-service-api-key': key } });
}

function viaGraphql(key: string, query = listQuery) {
  const headers = { 'x-glacier-api-key': key };
  return gateway.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query } });
}

async function statusesOf(requests: number, send: (index: number) => Promise<{ statusCode: number }>) {
  const replies = await Promise.all(Array.from({ length: requests }, (_, index) => send(index)));
  return {
    ok: replies.filter(({ statusCode }) => statusCode === 200).length,
    refused: replies.filter(({ statusCode }) => statusCode === 429).length,
  };
}

describe('200 requests at once against a limit of 50 admit exactly 50', () => {
  test.each([
    ['through REST', viaRest, viaRest],
    ['through GraphQL', viaGraphql, viaGraphql],
    ['through both', viaRest, viaGraphql],
  ])('%s', async (_door, even, odd) => {
    const key = await newKey('fifty');
    const statuses = await statusesOf(200, (index) => (index % 2 ? odd(key) : even(key)));
    expect(statuses).toEqual({ ok: 50, refused: 150 });
    expect((await viaRest(key)).headers['ratelimit-remaining']).toBe('0');
  });

  test('and operations of several root fields are admitted while they fit as a whole', async () => {
    const key = await newKey('fifty');
    const query = `{ ${['a', 'b', 'c'].map((alias) => `${alias}: ${listQuery.slice(1, -1)}`).join(' ')} }`;
    expect(await statusesOf(40, () => viaGraphql(key, query))).toEqual({ ok: 16, refused: 24 });
    expect(await statusesOf(40, () => viaRest(key))).toEqual({ ok: 2, refused: 38 });
  });
});

describe('at the edge of a window', () => {
  test('a refused client is served after the seconds of retry-after, and not one second before', async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 6, maxLength: 18 });
    await fc.assert(
      fc.asyncProperty(pauses, fc.boolean(), async (trace, rest) => {
        const key = await newKey('brief');
        const send = () => (rest ? viaRest(key) : viaGraphql(key));
        for (const pause of trace) {
          gateway.clock.now += pause;
          const { statusCode, headers } = await send();
          const remaining = Number(headers['ratelimit-remaining']);
          expect(remaining).toBeGreaterThanOrEqual(0);
          expect([200, 429]).toContain(statusCode);
          if (statusCode === 200) continue;
          expect(remaining).toBe(0);
          const wait = Number(headers['retry-after']);
          expect(headers['ratelimit-reset']).toBe(headers['retry-after']);
          expect(wait).toBeGreaterThanOrEqual(1);
          gateway.clock.now += (wait - 1) * 1000;
          expect((await send()).statusCode).toBe(429);
          gateway.clock.now += 1000;
          expect((await send()).statusCode).toBe(200);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('the headers and the message name the window that is nearer to refusing', async () => {
    const key = await newKey('brief');
    for (let used = 1; used <= 12; used += 1) {
      const { statusCode, headers } = await viaRest(key);
      expect(statusCode).toBe(200);
      const policy = used <= 9 ? '3;w=10;name="brief"' : '12;w=86400;name="brief"';
      if (used % 3 !== 0) expect(headers['ratelimit-policy']).toBe(policy);
      if (used % 3 === 0) gateway.clock.now += 10_000;
    }
    const { statusCode, headers, body } = await viaRest(key);
    expect([statusCode, headers['ratelimit-policy']]).toEqual([429, '12;w=86400;name="brief"']);
    expect(headers['retry-after']).toBe(String(86_400 - 40));
    expect(JSON.parse(body)).toEqual({
      message:
        'The rate limit of the plan brief is reached: 12 requests in 86400 seconds. Try again in 86360 seconds.',
      error: 'Too Many Requests',
      statusCode: 429,
    });
  });

  test('a client that goes on is blocked, for longer each time, and one that waits is served', async () => {
    const key = await newKey('brief');
    const waits: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 3 + 500; index += 1) await viaRest(key);
      const { headers, body } = await viaRest(key);
      waits.push(String(headers['retry-after']));
      expect(body).toContain('so this client is blocked for a while');
      gateway.clock.now += Number(headers['retry-after']) * 1000;
      expect((await viaRest(key)).statusCode).toBe(200);
      gateway.clock.now += 10_000;
    }
    expect(waits).toEqual(['60', '120']);
  });
});

describe('GraphQL', () => {
  async function ask(key: string, query: string) {
    const { headers, statusCode, body } = await viaGraphql(key, query);
    const reply = JSON.parse(body) as {
      errors?: { extensions: { code: string } }[];
      extensions?: { rateLimit: { remaining: number } };
    };
    return { status: statusCode, remaining: Number(headers['ratelimit-remaining']), headers, ...reply };
  }

  test('tells in every result how the caller stands, and in the field rateLimit, which alone costs 1', async () => {
    const key = await newKey('fifty');
    const standing = { plan: 'fifty', policy: '50;w=3600;name="fifty"', limit: 50, windowSeconds: 3600 };
    const fields = 'rateLimit { plan policy limit windowSeconds remaining resetSeconds }';
    const alone = await ask(key, `{ ${fields} __typename }`);
    expect(alone).toMatchObject({
      data: { rateLimit: { ...standing, remaining: 49, resetSeconds: 3600 } },
      extensions: { rateLimit: { ...standing, remaining: 49, resetSeconds: 3600 } },
      remaining: 49,
    });
    gateway.clock.now += 1;
    const paid = await ask(key, `{ ${fields} ${listQuery.slice(1, -1)} }`);
    expect(paid).toMatchObject({
      data: { rateLimit: { ...standing, remaining: 48 } },
      extensions: { rateLimit: { ...standing, remaining: 48 } },
      remaining: 48,
    });
  });

  test.each([
    ['of wrong syntax', '{ utxos('],
    ['that does not fit the schema', '{ nope }'],
    [
      'without its variables',
      'query ($n: Network!) { utxos(network: $n, blockchainId: "p-chain") { nodes { utxoId } } }',
    ],
    ['that leaves open which operation is meant', 'query A { __typename } query B { __typename }'],
  ])('a document %s costs 1, and over the limit is a 429', async (_kind, query) => {
    const key = await newKey('brief');
    for (const left of [2, 1, 0]) {
      const { errors, remaining, extensions } = await ask(key, query);
      expect(errors).toHaveLength(1);
      expect([remaining, extensions?.rateLimit.remaining]).toEqual([left, left]);
    }
    const refused = await ask(key, query);
    expect([refused.status, refused.errors?.[0]?.extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers['retry-after']).toBe('10');
  });

  test('over the limit is a 429 with the headers of REST, whichever way the request comes', async () => {
    const key = await newKey('brief');
    for (let index = 0; index < 3; index += 1) await viaRest(key);
    const url = `/graphql?query=${encodeURIComponent(listQuery)}`;
    const headers = { 'x-service-api-key': key };
    const replies = [
      await viaGraphql(key),
      await gateway.app.inject({ url, headers }),
      await gateway.app.inject({ url, headers: { ...headers, accept: 'application/graphql-response+json' } }),
    ];
    for (const reply of replies) {
      expect(reply.statusCode).toBe(429);
      expect(reply.headers).toMatchObject({
        'ratelimit-policy': '3;w=10;name="brief"',
        'ratelimit-limit': '3',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '10',
        'retry-after': '10',
      });
      expect(reply.json()).toMatchObject({
        errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 10 } }],
        extensions: { rateLimit: { remaining: 0 } },
      });
    }
  });
});
