import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config.js';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath, makeKey } from '../harness/keys.js';
import { field, keyedDoors, metric, plans, statusesOf, utxos, vertices } from '../harness/limited-fields.js';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({
    RATE_LIMITS: 'on',
    PLANS: JSON.stringify(plans),
    RATE_LIMIT_TOLERANCE: '0',
    // So that one caller's share of requests in flight, a quarter, is more than what is sent at once here,
    // and all have time.
    MAX_REQUESTS_IN_FLIGHT: '1024',
    REQUEST_TIMEOUT_MS: '120000',
  });
});
afterAll(() => gateway.close());

const { viaRest, viaGraphql, statusOf } = keyedDoors(() => gateway);

async function newKey(plan: keyof typeof plans): Promise<string> {
  return (await makeKey(gateway, plan)).key;
}

describe('200 calls at once against a limit of 50 admit exactly 50', () => {
  test.each([
    ['through REST', viaRest, viaRest],
    ['through GraphQL', viaGraphql, viaGraphql],
    ['through both', viaRest, viaGraphql],
  ])('%s', async (_door, even, odd) => {
    const key = await newKey('narrow');
    expect(await statusesOf(200, (index) => (index % 2 ? odd(key) : even(key)))).toEqual({
      ok: 50,
      refused: 150,
    });
    // Another caller, and another field, have their own.
    expect((await viaRest(await newKey('narrow'))).statusCode).toBe(200);
    expect(await statusOf(key, `{ ${metric} }`)).toBe(200);
  });

  test('and aliases are calls, all of an operation or none', async () => {
    const key = await newKey('narrow');
    const three = `{ a: ${field} b: ${field} ...Third } fragment Third on Query { b: ${field} c: ${field} }`;
    expect(await statusesOf(40, () => viaGraphql(key, three))).toEqual({ ok: 16, refused: 24 });
    expect(await statusesOf(40, () => viaRest(key))).toEqual({ ok: 2, refused: 38 });
  });
});

describe('a refusal', () => {
  test('of REST is a 429 whose seconds are the field’s and whose policy is the plan’s, and costs 1', async () => {
    const key = await newKey('brief');
    for (const second of [0, 3, 3]) {
      gateway.clock.now += second * 1000;
      expect((await viaRest(key)).statusCode).toBe(200);
    }
    const refused = await viaRest(key);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toEqual({
      message:
        'The rate limit of Query.compositeQuery on the plan brief is reached: 3 calls in 10 seconds. Try again in 4 seconds.',
      error: 'Too Many Requests',
      statusCode: 429,
    });
    expect(refused.headers).toMatchObject({
      'retry-after': '4',
      'ratelimit-reset': '4',
      'ratelimit-policy': '1000;w=3600;name="brief"',
      'ratelimit-limit': '1000',
      'ratelimit-remaining': '996',
    });
  });

  test('of GraphQL says the same, with the code RATE_LIMITED, and runs nothing of the operation', async () => {
    const key = await newKey('brief');
    for (let call = 0; call < 3; call += 1) await viaGraphql(key);
    const refused = await viaGraphql(key, `{ ${field} ${metric} }`);
    const message =
      'The rate limit of Query.compositeQuery on the plan brief is reached: 3 calls in 10 seconds. Try again in 10 seconds.';
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({ 'retry-after': '10', 'ratelimit-remaining': '995' });
    const { data, errors, extensions } = refused.json<{
      data: object;
      errors: object[];
      extensions: object;
    }>();
    expect(data).toEqual({ compositeQuery: null, subnetMetric: null });
    expect(errors[0]).toMatchObject({ message, extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 10 } });
    expect(extensions).toMatchObject({ rateLimit: { plan: 'brief', limit: 1000, remaining: 995 } });
  });

  test('ends after the seconds of retryAfterSeconds and not one before, however often it is called meanwhile', async () => {
    const key = await newKey('brief');
    for (let call = 0; call < 3; call += 1) await viaRest(key);
    for (let second = 0; second < 10; second += 1) {
      const { statusCode, headers } = await viaRest(key);
      expect([statusCode, headers['retry-after']]).toEqual([429, String(10 - second)]);
      gateway.clock.now += 1000;
    }
    expect(await statusesOf(5, () => viaRest(key))).toEqual({ ok: 3, refused: 2 });
  });

  test('blocks nobody: what else the caller asks is answered', async () => {
    const key = await newKey('brief');
    for (let call = 0; call < 10; call += 1) await viaRest(key);
    const headers = { 'x-service-api-key': key };
    expect((await gateway.app.inject({ url: listPath, headers })).statusCode).toBe(200);
  });

  test('by one field takes back what another had counted', async () => {
    const key = await newKey('several');
    for (const left of [200, 200, 429]) expect(await statusOf(key, `{ ${field} ${metric} }`)).toBe(left);
    expect(await statusesOf(5, () => viaRest(key))).toEqual({ ok: 3, refused: 2 });
  });

  test('by the plan counts no call of a field', async () => {
    const key = await newKey('tight');
    for (let index = 0; index < 2; index += 1) await statusOf(key, `{ ${metric} }`);
    expect((await viaRest(key)).json()).toMatchObject({ message: /the plan tight is reached/ });
    gateway.clock.now += 3600_000;
    expect(await statusesOf(2, () => viaRest(key))).toEqual({ ok: 1, refused: 1 });
  });

  test('is for good where an operation has more calls than are ever admitted', async () => {
    const key = await newKey('brief');
    const reply = await viaGraphql(
      key,
      `{ ${[1, 2, 3, 4].map((index) => `a${index}: ${field}`).join(' ')} }`,
    );
    expect(reply.json()).toMatchObject({
      errors: Array.from({ length: 4 }, () => ({
        message:
          'this operation calls Query.compositeQuery 4 times; the plan brief allows 3 calls in 10 seconds',
        extensions: { code: 'QUERY_TOO_COMPLEX' },
      })),
    });
    expect(await statusesOf(4, () => viaRest(key))).toEqual({ ok: 3, refused: 1 });
  });
});

test('a field may stand anywhere and is counted for its type, where its variables have it run', async () => {
  const key = await newKey('nested');
  const query = `query ($yes: Boolean!) {
    ${utxos} { totalCount @include(if: $yes) again: totalCount @include(if: $yes) nodes { utxoId } }
    ${vertices} { totalCount }
  }`;
  expect(await statusOf(key, query, { yes: false })).toBe(200);
  expect(await statusOf(key, query, { yes: true })).toBe(200);
  // Both calls for VertexConnection are used up; one for UtxoConnection is left.
  expect(await statusOf(key, `{ ${vertices} { totalCount } }`)).toBe(429);
  expect(await statusOf(key, `{ ${utxos} { totalCount } }`)).toBe(200);
  expect(await statusOf(key, `{ ${utxos} { totalCount } }`)).toBe(429);
  expect(await statusOf(key, `{ ${utxos} { nodes { utxoId } } }`)).toBe(200);
});

test('a mutation can have a limit, though none has one by itself', async () => {
  const reindex = 'mutation { reindexNft(chainId: "7", address: "0x0", tokenId: "1") { nextReindexAt } }';
  const key = await newKey('nested');
  expect([await statusOf(key, reindex), await statusOf(key, reindex)]).toEqual([200, 429]);
});

describe('serviceConfig', () => {
  test.each([
    ['declared', [{ field: 'Query.compositeQuery', calls: 600, seconds: 60 }]],
    ['narrow', [{ field: 'Query.compositeQuery', ...plans.narrow.fields['Query.compositeQuery'] }]],
    ['without', []],
  ] as const)('tells the limits of fields on the plan %s', async (plan, fieldLimits) => {
    const reply = await viaGraphql(
      await newKey(plan),
      '{ serviceConfig { fieldLimits { field calls seconds } } }',
    );
    expect(reply.json()).toMatchObject({ data: { serviceConfig: { fieldLimits } } });
  });
});

test.each([
  ['Query.compositeQueries', /^PLANS: free: fields\.Query\.compositeQueries: there is no such field/],
  ['compositeQuery', /there is no such field; write the type and the field/],
  ['__Type.fields', /there is no such field/],
  ['Query.rateLimit', /is free and cannot be limited/],
])('a gateway whose plan limits %s does not start', async (name, message) => {
  const env = { PLANS: JSON.stringify({ free: { fields: { [name]: { calls: 1, seconds: 1 } } } }) };
  const starting = createApp(env);
  await expect(starting).rejects.toThrow(ConfigError);
  await expect(starting).rejects.toThrow(message);
});
