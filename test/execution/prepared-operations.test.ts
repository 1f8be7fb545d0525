import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utxoStates } from '../../src/resources/utxo/holding.js';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { readSample } from '../harness/sample.js';
import { countStatements } from '../harness/statements.js';

const list = '{ utxos(network: fuji, blockchainId: "p-chain", first: 5) { nodes { utxoId amount } } }';
const hash = readSample().transactionsOf('p')[0]?.txHash;

async function asked(app: TestApp, query: string, variables?: object) {
  await app.graphql(query, variables);
  return countStatements(() => app.graphql(query, variables));
}

describe('of an operation that was seen before', () => {
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createApp({ REQUEST_TIMEOUT_MS: '1000', DATABASE_POOL: '1' }, { sample: true });
  });
  afterAll(() => gateway.close());

  const txs = 'txHash txType blockTimestamp';
  test.each([
    [
      'a transaction with its outputs',
      `query ($hash: String!) { transaction(network: fuji, blockchainId: "p-chain", txHash: $hash) {
        ${txs} consumedUtxos { nodes { utxoId } } emittedUtxos { edges { cursor node { utxoId } } } } }`,
    ],
    [
      'a page of transactions with outputs and their consumers',
      `{ transactions(network: fuji, blockchainId: "p-chain", first: 25) {
        nodes { ${txs} emittedUtxos { nodes { utxoId consumingTransaction { ${txs} } } } } pageInfo { hasNextPage endCursor } } }`,
    ],
    ['a page of outputs', list],
  ])('%s is one statement', async (_name, query) => {
    const { result, names } = await asked(gateway, query, { hash });
    expect(result.errors).toBeUndefined();
    expect(names).toEqual([expect.stringMatching(/^operation:/)]);
  });

  test.each(utxoStates)('a page of outputs in the state %s is one statement', async (state) => {
    const query = `query ($address: String!) {
      utxos(network: fuji, blockchainId: "p-chain", addresses: [$address], state: ${state}) { nodes { utxoId } } }`;
    const [address] = readSample().utxosOf('p')[0]?.addresses ?? [];
    const { result, names } = await asked(gateway, query, { address });
    expect(result.errors).toBeUndefined();
    expect(names).toEqual([expect.stringMatching(/^operation:/)]);
  });

  test('a list of what holds at present is of the present of each request', async () => {
    const { rows } = await poolOf(gateway.storage).query<{ address: string; until: string }>(
      `SELECT a.address, h.until FROM address_holding h JOIN address a ON a.id = h.address_id
       WHERE h.kind = 'platform' AND a.network = 'fuji' AND a.address <> '' ORDER BY h.until DESC LIMIT 1`,
    );
    const [{ address = '', until = '' } = {}] = rows;
    const balances = async (moment: string) => {
      const query = `{ address(network: fuji, address: "${address}") {
        balances${moment} { nodes { singleSignature { spendable } multiSignature { spendable } } } } }`;
      await gateway.graphql(query);
      return (await gateway.graphql(query)).data;
    };
    const before = gateway.clock.now;
    const seen = [];
    for (const passed of [-1, 0]) {
      gateway.clock.now = (Number(until) + passed) * 1000;
      seen.push(await balances(''));
      expect(seen.at(-1)).toEqual(await balances(`(at: ${Number(until) + passed})`));
    }
    gateway.clock.now = before;
    expect(seen[0]).not.toEqual(seen[1]);
  });

  test('a list whose arguments the document fixes is planned once', async () => {
    const { names } = await asked(gateway, list);
    for (let request = 0; request < 10; request += 1) await gateway.graphql(list);
    const { rows } = await poolOf(gateway.storage).query(
      'SELECT generic_plans > 10 AS often, custom_plans::int FROM pg_prepared_statements WHERE name = $1',
      names,
    );
    expect(rows).toEqual([{ often: true, custom_plans: 0 }]);
  });

  test('pages follow each other by its cursors', async () => {
    const query = `query ($after: String) { utxos(network: fuji, blockchainId: "x-chain", includeSpent: true, first: 40, after: $after) {
      nodes { utxoId } pageInfo { hasNextPage endCursor } } }`;
    interface Page {
      utxos: { nodes: { utxoId: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    }
    await gateway.graphql(query);
    const found: string[] = [];
    let after: string | null = null;
    do {
      const { data } = (await gateway.graphql<Page>(query, { after })) as { data: Page };
      found.push(...data.utxos.nodes.map(({ utxoId }) => utxoId));
      after = data.utxos.pageInfo.hasNextPage ? data.utxos.pageInfo.endCursor : null;
    } while (after);
    const all = readSample().utxosOf('x');
    expect(new Set(found).size).toBe(found.length);
    expect(found.length).toBeGreaterThanOrEqual(all.length);
  });

  test('a statement that fails is an internal error without details', async () => {
    const { storage } = gateway.services;
    const read = storage.read.bind(storage);
    storage.read = () => Promise.reject(new Error('the secret cause'));
    try {
      const { data, errors } = await gateway.graphql(list);
      expect(data).toEqual({ utxos: null });
      expect(errors).toEqual([
        {
          message: 'Internal server error',
          locations: [{ line: 1, column: 3 }],
          path: ['utxos'],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ]);
    } finally {
      storage.read = read;
    }
  });

  test('a statement that fails leaves the other fields their answers', async () => {
    const one = `transaction(network: fuji, blockchainId: "p-chain", txHash: "${hash}") { txHash }`;
    const query = `{ __typename bad: ${list.slice(2, -2)} good: ${one} }`;
    await gateway.graphql(query);
    const { storage } = gateway.services;
    const read = storage.read.bind(storage);
    const names: string[] = [];
    storage.read = (...asked) => {
      names.push(asked[0].name);
      return names.length === 1 ? Promise.reject(new Error('the secret cause')) : read(...asked);
    };
    try {
      const { data, errors } = await gateway.graphql(query);
      expect(data).toEqual({ __typename: 'Query', bad: null, good: { txHash: hash } });
      expect(errors?.map(({ path }) => path)).toEqual([['bad']]);
      expect(names.filter((name) => name.startsWith('operation:'))).toHaveLength(2);
    } finally {
      storage.read = read;
    }
  });

  test('it is given up in time', async () => {
    const { storage } = gateway.services;
    const read = storage.read.bind(storage);
    storage.read = async (...asked) => {
      await sleep(1500);
      return read(...asked) as never;
    };
    try {
      const reply = await gateway.post('/graphql', json, JSON.stringify({ query: list }));
      expect(reply.status).toBe(503);
      expect(reply.headers['retry-after']).toBe('5');
      expect(reply.body.errors[0].extensions).toEqual({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    } finally {
      storage.read = read;
      // It continues meanwhile, and uses the caller's share of the pool.
      await sleep(1000);
    }
  });

  test('a connection keeps a bounded number of statements prepared, whatever clients ask', async () => {
    for (let index = 0; index < 330; index += 1) {
      const query = `{ transaction(network: fuji, blockchainId: "p-chain", txHash: "${hash}") { a${index}: txHash } }`;
      await gateway.graphql(query);
      const { data } = await gateway.graphql(query);
      expect(data).toEqual({ transaction: { [`a${index}`]: hash } });
    }
    const { rows } = await poolOf(gateway.storage).query<{ held: number }>(
      `SELECT count(*)::int AS held FROM pg_prepared_statements`,
    );
    expect(rows[0]?.held).toBeLessThanOrEqual(300);
    expect((await gateway.get('/metrics')).text).not.toMatch(/statement="operation:/);
  });
});

const json = { 'content-type': 'application/json' };

describe('limits hold for an operation that was seen before', () => {
  const plans = { requests: 9, seconds: 600, perDay: null };
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createApp({
      RATE_LIMITS: 'on',
      MAX_COST: '100',
      PLANS: JSON.stringify({ anonymous: plans }),
    });
  });
  afterAll(() => gateway.close());

  test('its cost, as variables make it', async () => {
    const query = `query ($first: Int) { utxos(network: fuji, blockchainId: "p-chain", first: $first) { nodes { utxoId amount } } }`;
    const codes = [];
    for (const first of [5, 5, 90]) {
      const { errors } = await gateway.graphql(query, { first });
      codes.push(errors?.[0]?.extensions['code']);
    }
    expect(codes).toEqual([undefined, undefined, 'QUERY_TOO_COMPLEX']);
  });

  test('its cost, even if an earlier request left out a value without which it could not be calculated', async () => {
    const query = `query ($chain: String = "p-chain", $first: Int) {
      blocks(network: fuji, blockchainId: $chain, first: $first) { nodes { hash } } }`;
    const codes = [];
    for (const variables of [{ first: 1 }, { chain: null, first: 100 }, { first: 100 }]) {
      const { errors } = await gateway.graphql(query, variables);
      codes.push(errors?.[0]?.extensions['code']);
    }
    expect(codes).toEqual([undefined, 'BAD_USER_INPUT', 'QUERY_TOO_COMPLEX']);
  });

  test('its plan', async () => {
    const sent = [];
    for (let index = 0; index < 5; index += 1)
      sent.push(await gateway.post('/graphql', json, JSON.stringify({ query: list })));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(sent.map(({ body }) => body.extensions.rateLimit.remaining)).toEqual([2, 1, 0, 0, 0]);
  });
});

test('a field with a limit of its own is counted for an operation that was seen before', async () => {
  const fields = { 'Query.utxos': { calls: 2, seconds: 600 } };
  const gateway = await createApp({ RATE_LIMITS: 'on', PLANS: JSON.stringify({ anonymous: { fields } }) });
  try {
    const statuses = [];
    for (let index = 0; index < 4; index += 1)
      statuses.push((await gateway.post('/graphql', json, JSON.stringify({ query: list }))).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  } finally {
    await gateway.close();
  }
});
