import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath, listQuery, makeKey } from '../harness/keys.js';

const PRICE = 10;
const REQUESTS = 100;
const plans = JSON.stringify({
  many: { requests: REQUESTS, seconds: 3600, perDay: null },
  two: { requests: 2, seconds: 3600, perDay: null },
  endless: { requests: 1_000_000, seconds: 3600, perDay: null },
});

interface Reply {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: { code: string } }[];
  extensions: { cost: { asked: number | null; charged: number; remaining: number | null } };
}

let byCost: TestApp;
let byRootFields: TestApp;
let asShipped: TestApp;
let unlimited: TestApp;
beforeAll(async () => {
  const limits = { RATE_LIMITS: 'on', PLANS: plans };
  byCost = await createApp({ ...limits, COST_PER_REQUEST: String(PRICE) });
  byRootFields = await createApp({ ...limits, COST_PER_REQUEST: 'off' });
  asShipped = await createApp(limits);
  unlimited = await createApp({ COST_PER_REQUEST: String(PRICE) });
});
afterAll(async () => {
  await byCost.close();
  await byRootFields.close();
  await asShipped.close();
  await unlimited.close();
});

const newKey = async (gateway: TestApp, plan: string) => ({
  'x-service-api-key': (await makeKey(gateway, plan)).key,
});

async function ask(gateway: TestApp, request: object, key: Record<string, string>) {
  const json = { ...key, 'content-type': 'application/json' };
  const { body, status, headers } = await gateway.post('/graphql', json, JSON.stringify(request));
  return { ...(body as Reply), status, headers };
}

async function chargedFor(gateway: TestApp, request: object): Promise<number[]> {
  const key = await newKey(gateway, 'many');
  // Answered by the plain executor, then as an operation that was seen before.
  const first = await ask(gateway, request, key);
  const second = await ask(gateway, request, key);
  const charged = [first, second].map(({ extensions }) => extensions.cost.charged);
  expect(Number(second.headers['ratelimit-remaining'])).toBe(REQUESTS - charged[0]! - charged[1]!);
  expect(second.extensions.cost.remaining).toBe(REQUESTS - charged[0]! - charged[1]!);
  return charged;
}

const utxos = (first: number, fields = 'utxoId') =>
  `utxos(network: fuji, blockchainId: "p-chain", first: ${first}) { nodes { ${fields} } }`;

describe('where operations are charged by their cost', () => {
  test.each([
    ['a list of ten rows', `{ ${utxos(10)} }`, 2],
    ['one whose cost is a whole number of requests', `{ ${utxos(8)} }`, 1],
    ['one that costs one more', `{ ${utxos(9)} }`, 2],
    ['a hundred rows', `{ ${utxos(100, 'utxoId amount')} }`, 21],
    ['cheap fields, of which each is a request', `{ a: ${utxos(1)} b: ${utxos(1)} c: ${utxos(1)} }`, 3],
    ['a count', '{ utxos(network: fuji, blockchainId: "p-chain") { totalCount } }', 11],
    ['a field together with a free one', `{ rateLimit { remaining } ${utxos(5)} }`, 1],
    ['what is not counted alone', '{ rateLimit { remaining limit plan policy } }', 1],
    ['introspection of less than a thousand fields', '{ __schema { types { name } } }', 1],
    ['introspection together with a list', `{ __schema { types { name } } ${utxos(100)} }`, 11],
    ['the name of the query type', '{ __typename }', 1],
    ['a document that cannot be run', `{ ${utxos(100, 'nothing')} }`, 1],
    [
      'one over the limit of cost',
      `{ ${utxos(100, 'asset { utxos(first: 100) { nodes { utxoId } } }')} }`,
      1,
    ],
  ])('%s', async (_what, query, charged) => {
    expect(await chargedFor(byCost, { query })).toEqual([charged, charged]);
  });

  test('variables count with the values of the request', async () => {
    const query =
      'query ($first: Int!, $more: Boolean!) { utxos(network: fuji, blockchainId: "p-chain", first: $first) { nodes { utxoId amount @include(if: $more) } } }';
    const charged = async (first: number, more: boolean) =>
      (await chargedFor(byCost, { query, variables: { first, more } }))[1];
    expect([await charged(100, false), await charged(100, true), await charged(1, true)]).toEqual([
      11, 21, 1,
    ]);
  });

  test('every operation over lists pays the greater of its root fields and its cost by the price', async () => {
    const key = await newKey(byCost, 'endless');
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.boolean(), async (pages, seen) => {
        const query = `{ ${pages.map((first, index) => `list${index}: ${utxos(first)}`).join(' ')} }`;
        if (seen) await ask(byCost, { query }, key);
        const { asked, charged } = (await ask(byCost, { query }, key)).extensions.cost;
        expect(asked).toBe(pages.reduce((sum, first) => sum + 2 + first, 0));
        expect(charged).toBe(Math.max(pages.length, Math.ceil(asked! / PRICE)));
      }),
      { numRuns: 40 },
    );
  });

  test('a dry run costs 1 and tells the cost that the price divides', async () => {
    const request = { query: `{ ${utxos(100)} }`, extensions: { cost: { dryRun: true } } };
    const key = await newKey(byCost, 'many');
    expect((await ask(byCost, request, key)).extensions.cost).toEqual({
      asked: 102,
      charged: 1,
      remaining: REQUESTS - 1,
    });
  });

  test('a mutation and an operation in a GET request pay like any other', async () => {
    const token = `reindexNft(chainId: "1", address: "0x${'1'.repeat(40)}", tokenId: "1") { token { id tokenId } }`;
    const many = Array.from({ length: 5 }, (_, index) => `m${index}: ${token}`).join(' ');
    expect(await chargedFor(byCost, { query: `mutation { ${many} }` })).toEqual([5, 5]);
    const search = new URLSearchParams({ query: `{ ${utxos(100)} }` });
    const { body } = await byCost.get(`/graphql?${search}`, await newKey(byCost, 'many'));
    expect((body as Reply).extensions.cost.charged).toBe(11);
  });

  test('a REST request costs exactly 1, however much it asks', async () => {
    const key = await newKey(byCost, 'many');
    for (const [path, left] of [[`${listPath}?pageSize=100`, 99] as const, [listPath, 98] as const]) {
      const { status, headers } = await byCost.get(path, key);
      expect([status, Number(headers['ratelimit-remaining'])]).toEqual([200, left]);
    }
  });

  test('what exceeds the rest of the plan is refused as a whole, seen before or not', async () => {
    const key = await newKey(byCost, 'many');
    const expensive = { query: `{ ${utxos(100, 'utxoId amount txHash consumingTxHash')} }` };
    const answers = [];
    for (let sent = 0; sent < 4; sent += 1) answers.push(await ask(byCost, expensive, key));
    expect(answers.map(({ status, extensions: { cost } }) => [status, cost.charged, cost.remaining])).toEqual(
      [
        [200, 41, 59],
        [200, 41, 18],
        [429, 0, 18],
        [429, 0, 18],
      ],
    );
  });

  test.each(['POST', 'GET'])(
    'what exceeds the whole plan is too complex and costs 1, seen before or not (%s)',
    async (method) => {
      const list = utxos(100, 'utxoId amount txHash consumingTxHash');
      const query = `{ a: ${list} b: ${list} c: ${utxos(100, 'utxoId amount')} } # ${method}`;
      const key = await newKey(byCost, 'many');
      for (const remaining of [99, 98]) {
        const path = method === 'POST' ? '/graphql' : `/graphql?query=${encodeURIComponent(query)}`;
        const { status, body } =
          method === 'POST'
            ? await byCost.post(
                path,
                { ...key, 'content-type': 'application/json' },
                JSON.stringify({ query }),
              )
            : await byCost.get(path, { ...key, accept: 'application/json' });
        const { errors, extensions } = body as Reply;
        expect([status, extensions.cost]).toEqual([200, { asked: 1006, charged: 1, remaining }]);
        expect(errors?.map((error) => error.extensions.code)).toEqual(Array(3).fill('QUERY_TOO_COMPLEX'));
        expect(errors?.[0]?.message).toMatch(
          /^this operation costs 101 requests; the plan many allows 100 in 3600/,
        );
      }
    },
  );

  test('the same if the text differs in literals alone from one that was seen, and it takes the last of the plan', async () => {
    const textWith = (id: string) =>
      `{ ${utxos(100)} transaction(network: fuji, blockchainId: "p-chain", txHash: "${id}") { txHash } }`;
    const [one, other] = [
      '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh',
      '11111111111111111111111111111111LpoYY',
    ];
    const rich = await newKey(byCost, 'endless');
    for (const id of [one, one])
      expect((await ask(byCost, { query: textWith(id) }, rich)).errors).toBeUndefined();
    const poor = await newKey(byCost, 'two');
    await ask(byCost, { query: '{ __typename }' }, poor);
    const { status, errors, extensions } = await ask(byCost, { query: textWith(other) }, poor);
    expect(errors?.map((error) => error.extensions.code)).toEqual(['QUERY_TOO_COMPLEX', 'QUERY_TOO_COMPLEX']);
    expect([status, extensions?.cost]).toEqual([200, { asked: 104, charged: 1, remaining: 0 }]);
  });
});

const config = '{ serviceConfig { costPerRequest } }';
const publishedPrice = async (gateway: TestApp) => (await gateway.graphql(config)).data;

test('serviceConfig tells the price, and null where operations do not pay by it', async () => {
  expect(await publishedPrice(byCost)).toEqual({ serviceConfig: { costPerRequest: PRICE } });
  expect(await publishedPrice(byRootFields)).toEqual({ serviceConfig: { costPerRequest: null } });
  expect(await publishedPrice(asShipped)).toEqual({ serviceConfig: { costPerRequest: 500 } });
  expect(await publishedPrice(unlimited)).toEqual({ serviceConfig: { costPerRequest: null } });
});

test('with the setting off an operation pays for its root fields alone', async () => {
  expect(await chargedFor(byRootFields, { query: `{ ${utxos(100, 'utxoId amount')} }` })).toEqual([1, 1]);
});

test('without limits nothing is charged', async () => {
  const { extensions } = await ask(unlimited, { query: listQuery }, {});
  expect(extensions.cost).toEqual({ asked: 12, charged: 0, remaining: null });
});

describe('as it comes, one request pays for a cost of 500:', () => {
  test.each([
    ['a page of a hundred rows is one request', `{ ${utxos(100, 'utxoId amount txHash utxoType')} }`, 1],
    [
      'lists in the rows of lists are as many as their rows make',
      `{ ${utxos(18, 'owners { transactions(first: 5) { nodes { emittedUtxos(first: 100) { nodes { utxoId } } } } }')} }`,
      19,
    ],
    [
      'what is selected of one field is no cheaper than the same in several',
      `{ validators(network: fuji, first: 100) { nodes { ${['stakingPeriods', 'delegations', 'rewards', 'transactions'].map((list) => `${list}(first: 20) { nodes { txHash } }`).join(' ')} } } }`,
      18,
    ],
    ['a search of every chain is two', '{ search(text: "1") { text } }', 2],
  ])('%s', async (_what, query, charged) => {
    expect(await chargedFor(asShipped, { query })).toEqual([charged, charged]);
  });
});
