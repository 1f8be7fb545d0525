import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listQuery, makeKey } from '../harness/keys.js';
import { countStatements } from '../harness/statements.js';

const plans = { few: { requests: 5, seconds: 3600, perDay: null } };
const dryRun = { cost: { dryRun: true } };
// utxos, nodes, and ten times utxoId.
const LIST_COST = 12;
const reindex = `mutation { reindexNft(chainId: "43113", address: "0x${'1'.repeat(40)}", tokenId: "1") { token { id } } }`;

interface Reply {
  data?: unknown;
  errors?: { message: string; extensions: { code: string } }[];
  extensions: { cost: { asked: number | null; charged: number; remaining: number | null } };
}

let limited: TestApp;
let unlimited: TestApp;
beforeAll(async () => {
  limited = await createApp({ RATE_LIMITS: 'on', MAX_COST: '200', PLANS: JSON.stringify(plans) });
  unlimited = await createApp();
});
afterAll(async () => {
  await limited.close();
  await unlimited.close();
});

async function newKey(): Promise<Record<string, string>> {
  return { 'x-service-api-key': (await makeKey(limited, 'few')).key };
}

async function ask(gateway: TestApp, request: object, headers: Record<string, string> = {}) {
  const json = { ...headers, 'content-type': 'application/json' };
  const { body, status } = await gateway.post('/graphql', json, JSON.stringify(request));
  return { ...(body as Reply), status };
}

async function costsOf(query: string, times: number): Promise<Reply['extensions']['cost'][]> {
  const key = await newKey();
  const costs = [];
  for (let sent = 0; sent < times; sent += 1)
    costs.push((await ask(limited, { query }, key)).extensions.cost);
  return costs;
}

describe('every result tells what the operation cost', () => {
  test('seen before or not, and refused for the plan', async () => {
    const two = `{ a: ${listQuery.slice(2, -2)} b: ${listQuery.slice(2, -2)} }`;
    const asked = 2 * LIST_COST;
    expect(await costsOf(two, 3)).toEqual([
      { asked, charged: 2, remaining: 3 },
      { asked, charged: 2, remaining: 1 },
      { asked, charged: 0, remaining: 1 },
    ]);
  });

  test.each([
    ['of no field that is counted', '{ rateLimit { remaining } }', { asked: 2, charged: 1, remaining: 4 }],
    ['of wrong syntax', '{ utxos(', { asked: null, charged: 1, remaining: 4 }],
    ['of introspection', '{ __type(name: "Utxo") { name } }', { asked: 2, charged: 1, remaining: 4 }],
    [
      'over the limit of its cost',
      '{ utxos(network: fuji, blockchainId: "p-chain", first: 100) { nodes { utxoId amount } } }',
      { asked: 202, charged: 1, remaining: 4 },
    ],
  ])('an operation that is %s', async (_kind, query, cost) => {
    expect(await costsOf(query, 1)).toEqual([cost]);
  });

  test('nothing is charged and nothing remains where nothing is limited', async () => {
    for (let sent = 0; sent < 2; sent += 1) {
      const { extensions } = await ask(unlimited, { query: listQuery });
      expect(extensions).toEqual({ cost: { asked: LIST_COST, charged: 0, remaining: null } });
    }
  });
});

describe('a dry run', () => {
  test('tells the cost and runs nothing, for the price of 1', async () => {
    const key = await newKey();
    const three = `{ ${['a', 'b', 'c'].map((alias) => `${alias}: ${listQuery.slice(2, -2)}`).join(' ')} }`;
    const asked = 3 * LIST_COST;
    expect((await ask(limited, { query: three }, key)).extensions.cost.remaining).toBe(2);
    // It is cached by now, so that the prepared executor could answer it.
    const { result, names } = await countStatements(() =>
      ask(limited, { query: three, extensions: dryRun }, key),
    );
    expect(result).toMatchObject({
      data: null,
      extensions: { cost: { asked, charged: 1, remaining: 1 } },
    });
    expect(result.errors).toBeUndefined();
    expect(names.filter((name) => /operation|utxo/.test(name))).toEqual([]);
  });

  test('weighs with the variables that it is given, and in a GET request too', async () => {
    const query =
      'query ($n: Int!) { utxos(network: fuji, blockchainId: "p-chain", first: $n) { nodes { utxoId } } }';
    const { data, extensions } = await ask(limited, { query, variables: { n: 50 }, extensions: dryRun });
    expect([data, extensions.cost.asked]).toEqual([null, 52]);
    const search = new URLSearchParams({ query: listQuery, extensions: JSON.stringify(dryRun) });
    const { body } = await limited.get(`/graphql?${search}`);
    expect(body).toMatchObject({ data: null, extensions: { cost: { asked: LIST_COST } } });
  });

  test('does not run a mutation', async () => {
    const { data, errors } = await ask(unlimited, { query: reindex, extensions: dryRun });
    expect([data, errors]).toEqual([null, undefined]);
    expect((await ask(unlimited, { query: reindex })).errors).toBeDefined();
  });

  test('of what would be refused before it runs is refused, and says what was asked', async () => {
    const query = '{ utxos(network: fuji, blockchainId: "p-chain", first: 100) { nodes { utxoId amount } } }';
    const { errors, extensions } = await ask(limited, { query, extensions: dryRun }, await newKey());
    expect(errors?.map((error) => error.extensions.code)).toEqual(['QUERY_TOO_COMPLEX']);
    expect(extensions.cost).toEqual({ asked: 202, charged: 1, remaining: 4 });
    const unset = 'query ($id: ID!) { node(id: $id) { id } }';
    const refused = await ask(limited, { query: unset, extensions: dryRun }, await newKey());
    expect(refused.errors?.map(({ message }) => message)).toEqual([expect.stringContaining('$id')]);
  });

  test('over the limit is a 429 like any other operation', async () => {
    const key = await newKey();
    const request = { query: listQuery, extensions: dryRun };
    for (let sent = 0; sent < 5; sent += 1) expect((await ask(limited, request, key)).status).toBe(200);
    const { status, errors } = await ask(limited, request, key);
    expect([status, errors?.[0]?.extensions.code]).toEqual([429, 'RATE_LIMITED']);
  });

  test.each([{ cost: { dryRun: 'yes' } }, { cost: null }, { cost: 5 }, { other: { dryRun: true } }])(
    'is nothing but what asks for one: %j runs',
    async (extensions) => {
      expect((await ask(unlimited, { query: listQuery, extensions })).data).toEqual({ utxos: { nodes: [] } });
    },
  );
});

const series = (selection: string) =>
  `subnetMetric(subnetId: "11111111111111111111111111111111LpoYY", metric: perSubnetDailyFeesPaid, first: 10000) { ${selection} }`;
const composite = (
  selection: string,
) => `compositeQuery(first: 10000, operator: AND, queries: [{ allTimeNativeBalance:
  { id: "n", evmChainId: "7", firstDate: "2024-01-01", lastDate: "2024-01-02", minBalance: "5" } }]) { ${selection} }`;
const info = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor __typename }';

describe('a whole page of the longest lists is within the default limit of cost', () => {
  test.each([
    ['a metric', series(`nodes { value timestamp } ${info}`)],
    [
      'a metric with cursors and the names of types',
      series(`edges { cursor __typename node { value timestamp __typename } __typename } ${info}`),
    ],
    ['a composite query', composite(`nodes totalCount subQueryCounts { id count } ${info}`)],
    [
      'a composite query with cursors and nodes',
      composite(`edges { cursor node __typename } evmAddresses { id address __typename } ${info}`),
    ],
  ])('%s', async (_list, selection) => {
    const { errors, extensions } = await ask(unlimited, { query: `{ ${selection} }` });
    expect(errors).toBeUndefined();
    expect(extensions.cost.asked).toBeLessThan(10_000);
  });

  test('if only scalars of its rows are selected', async () => {
    const query = `{ ${composite('evmAddresses { address chain { chainId } }')} }`;
    const { errors } = await ask(unlimited, { query });
    expect(errors?.map((error) => error.extensions.code)).toEqual(['QUERY_TOO_COMPLEX']);
  });
});
