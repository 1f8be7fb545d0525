import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { chainRow } from '../harness/evm-rows.js';
import { readSample } from '../harness/sample.js';
import { importRows } from '../harness/seed.js';
import { countStatements, type Counted } from '../harness/statements.js';

const sample = readSample();
const [chain] = sample
  .rowsOf<{ chainId: string; blockchainId: string }>('evm.chains')
  .filter(({ chainId }) => chainId === '43113') as [{ chainId: string; blockchainId: string }];
const frames = sample.rowsOf<{ from: { address: string } }>('evm.43113.internal-transactions');
const caller = mostOf(frames.map(({ from }) => from.address));
const owner = mostOf(sample.utxosOf('p').flatMap(({ addresses }) => addresses));
const txHash = mostOf(
  sample.utxosOf('p').flatMap((each) => (each as { consumingTxHash?: string }).consumingTxHash ?? []),
);
const staking = sample.rowsOf<{ nodeId?: string; subnetId?: string }>('fuji.p-chain.transactions');
const nodeId = mostOf(staking.flatMap((each) => each.nodeId ?? []));
const subnetId = mostOf(staking.flatMap((each) => each.subnetId ?? []));
const { vertexHash } = sample
  .rowsOf<{ vertexHash: string; parentHashes: string[] }>('fuji.x-chain.vertices')
  .reduce((most, each) => (each.parentHashes.length > most.parentHashes.length ? each : most));
const atOnce = [expect.stringMatching(/^(document|operation):/)];

function mostOf(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

interface Page {
  edges: { cursor: string; node: object }[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway.close());

const evm = `/v1/chains/${chain.chainId}/addresses/${caller}/transactions:listInternals`;

describe('REST asks one statement for', () => {
  test('a transaction with all of its outputs', async () => {
    const path = `/v1/networks/fuji/blockchains/p-chain/transactions/${txHash}`;
    const { result, names } = await countStatements(() => gateway.get(path));
    expect(result.status).toBe(200);
    expect(result.body.consumedUtxos.length).toBeGreaterThan(0);
    expect(names).toEqual(atOnce);
  });

  test('a transaction that is not stored', async () => {
    const { result, names } = await countStatements(() =>
      gateway.get(`/v1/networks/fuji/blockchains/x-chain/transactions/${txHash}`),
    );
    expect(result.status).toBe(404);
    expect(names).toEqual(atOnce);
  });

  test('every page of the internal transactions of an address, of any size', async () => {
    const all = await gateway.get(`${evm}?pageSize=100`);
    for (const size of [9, 40]) {
      const found: object[] = [];
      let token = '';
      do {
        const page = `${evm}?pageSize=${size}&pageToken=${token}`;
        const { result, names } = await countStatements(() => gateway.get(page));
        expect(names).toEqual(atOnce);
        found.push(...result.body.transactions);
        token = result.body.nextPageToken ?? '';
      } while (token && found.length < 100);
      expect(found.slice(0, 100)).toEqual(all.body.transactions);
    }
  });

  test('none of it is on a chain that is not stored', async () => {
    const { result, names } = await countStatements(() => gateway.get(evm.replace(chain.chainId, '5')));
    expect(result.status).toBe(404);
    expect(names).toEqual(atOnce);
  });
});

test('a chain may be named by its blockchain id on any page', async () => {
  const first = await gateway.get(`${evm}?pageSize=2`);
  const byId = evm.replace(chain.chainId, chain.blockchainId);
  const named = await gateway.get(`${byId}?pageSize=2`);
  expect(named.body.transactions).toEqual(first.body.transactions);
  const { nextPageToken: token } = named.body;
  const [second, other] = await Promise.all(
    [evm, byId].map((path) => gateway.get(`${path}?pageSize=2&pageToken=${token}`)),
  );
  expect(second?.status).toBe(200);
  expect(second?.body.transactions).toEqual(other?.body.transactions);
});

const lists = {
  'outputs of an address': `address(network: fuji, address: "${owner}") { list: utxos(blockchainId: "p-chain", includeSpent: true,`,
  'history of an address': `address(network: fuji, address: "${owner}") { list: transactions(`,
  'outputs that a transaction spent': `transaction(network: fuji, blockchainId: "p-chain", txHash: "${txHash}") { list: consumedUtxos(`,
  'transactions of a subnet': `subnet(network: fuji, subnetId: "${subnetId}") { list: transactions(`,
  'transactions of a validator': `validator(network: fuji, nodeId: "${nodeId}") { list: transactions(`,
  'parents of a vertex': `vertex(network: fuji, vertexHash: "${vertexHash}") { list: parents(`,
  'internal transactions of an address': `evmAddress(chainId: "${chain.chainId}", address: "${caller}") { list: internalTransactions(`,
};

describe('pages follow each other by cursors, one statement each, of the', () => {
  test.each(Object.entries(lists))('%s', async (_name, list) => {
    const query = (size: number) =>
      `query ($after: String) { root: ${list} first: ${size}, after: $after) {
        edges { cursor node { id } } pageInfo { hasNextPage endCursor } } } }`;
    const ask = async (size: number, after: string | null) => {
      const { data } = await gateway.graphql<{ root: { list: Page } }>(query(size), { after });
      return data.root.list;
    };
    const whole = await ask(100, null);
    expect(whole.edges.length).toBeGreaterThan(1);
    // Seen once, without a cursor and with one: statements of both shapes are made.
    const first = await ask(1, null);
    await ask(1, first.pageInfo.endCursor);
    const found: object[] = [];
    let after: string | null = null;
    do {
      const cursor: string | null = after;
      const { result: page, names }: Counted<Page> = await countStatements(() => ask(1, cursor));
      expect(names).toEqual(atOnce);
      found.push(...page.edges.map(({ node }) => node));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after && found.length < 20);
    expect(found).toEqual(whole.edges.slice(0, found.length).map(({ node }) => node));
  });
});

test('a cursor of another row is refused, and one whose row is gone, as when nobody had seen the document', async () => {
  const query = `query ($of: String!, $after: String) { evmAddress(chainId: "${chain.chainId}", address: $of) {
    internalTransactions(first: 1, after: $after) { nodes { txHash } pageInfo { endCursor } } } }`;
  const ask = (of: string, after?: string) =>
    gateway.graphql<{ evmAddress: { internalTransactions: Page } }>(query, { of, after });
  const cursorOf = async (of: string) =>
    (await ask(of)).data.evmAddress.internalTransactions.pageInfo.endCursor;
  const other = frames.find(({ from }) => from.address !== caller)?.from.address ?? '';
  const foreign = await ask(other, await cursorOf(caller));
  expect(foreign.errors?.[0]?.message).toContain('after: ');
  expect(foreign.errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  const token = await cursorOf(caller);
  await poolOf(gateway.storage).query('DELETE FROM internal_tx');
  const gone = await ask(caller, token);
  expect(gone.errors?.[0]?.message).toMatch(/an import has removed or moved/);
  const rest = await gateway.get(`${evm}?pageSize=1&pageToken=${token}`);
  expect(rest.status).toBe(400);
  expect(rest.body.message).toEqual([expect.stringMatching(/^pageToken: .* an import has removed or moved/)]);
});

test('fields with a limit of their own are counted for REST too', async () => {
  const limit = { calls: 2, seconds: 600 };
  const fields = { 'Transaction.consumedUtxos': limit, 'EvmAddress.internalTransactions': limit };
  const limited = await createApp({
    RATE_LIMITS: 'on',
    PLANS: JSON.stringify({ anonymous: { fields } }),
  });
  try {
    await importRows(limited.storage, 'evm.chains', [chainRow('43113')]);
    await importRows(limited.storage, 'fuji.p-chain.transactions', [sample.transactionsOf('p')[0] as object]);
    const hash = sample.transactionsOf('p')[0]?.txHash;
    for (const path of [`/v1/networks/fuji/blockchains/p-chain/transactions/${hash}`, evm]) {
      const statuses = [];
      for (let request = 0; request < 3; request += 1) statuses.push((await limited.get(path)).status);
      expect(statuses).toEqual([200, 200, 429]);
    }
  } finally {
    await limited.close();
  }
});
