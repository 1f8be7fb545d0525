import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { addresses, chainRow } from '../../harness/evm-rows.js';
import { addressAt } from '../../harness/generated-evm.js';
import { expectList } from '../../harness/list-model.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';
import { parseEvmAddress } from '../../../src/avalanche/evm.js';

const CHAIN = '77';
const collections = addresses.slice(2);
const days = ['2026-10-01', '2026-10-02', '2026-10-05'] as const;
const owners = Array.from({ length: 9 }, (_, index) => parseEvmAddress(addressAt(index + 1)) as string);

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(gateway.storage, 'evm.chains', [chainRow(CHAIN)]);
});
afterAll(() => gateway.close());
const clear = () =>
  poolOf(gateway.storage).query(
    'TRUNCATE nft_token, evm_balance, evm_holding_version, evm_holding, evm_address CASCADE',
  );
beforeEach(() => clear());

interface Count {
  collection: string;
  owner: string;
  date: (typeof days)[number];
  tokenCount: number;
}

const counts = fc.uniqueArray(
  fc.record({
    collection: fc.constantFrom(...collections),
    owner: fc.constantFrom(...owners),
    date: fc.constantFrom(...days),
    tokenCount: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 50, selector: ({ collection, owner, date }) => `${collection} ${owner} ${date}` },
);
const queries = fc.record({
  collection: fc.constantFrom(...collections),
  pageSize: fc.integer({ min: 1, max: 5 }),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
});
type Query = typeof queries extends fc.Arbitrary<infer T> ? T : never;

const load = (rows: readonly Count[]) =>
  importRows(
    gateway.storage,
    `evm.${CHAIN}.nft-holdings`,
    rows.map(({ collection, owner, date, tokenCount }) => ({
      contractAddress: collection,
      address: owner,
      date,
      tokenCount,
    })),
  );

/** Owners from the largest by their newest counts, equal ones in the order of this installation. */
async function model(rows: readonly Count[], { collection }: Query): Promise<string[]> {
  const known = await poolOf(gateway.storage).query<{ checksummed: string }>(
    'SELECT checksummed FROM evm_address ORDER BY id DESC',
  );
  const newest = known.rows.flatMap(({ checksummed }) =>
    rows
      .filter((row) => row.collection === collection && row.owner === checksummed)
      .sort((a, b) => (a.date < b.date ? 1 : -1))
      .slice(0, 1),
  );
  return newest
    .filter(({ tokenCount }) => tokenCount > 0)
    .sort((a, b) => b.tokenCount - a.tokenCount)
    .map(({ owner, tokenCount, date }) => `${owner} ${tokenCount} ${Date.parse(date) / 1000}`);
}

const checkOf = ({ collection, pageSize, direction }: Query) => ({
  field: 'owners(',
  key: 'address tokenCount since',
  keyOf: ({ address, tokenCount, since }: Record<string, string>) => `${address} ${tokenCount} ${since}`,
  pageSize,
  direction,
  within: {
    wrap: (list: string) => `nftCollection(chainId: "${CHAIN}", address: "${collection}") { ${list} }`,
    find: (data: Record<string, never>) => (data['nftCollection'] as unknown as { list: unknown }).list,
  },
});

/** A count that makes a collection known, of an address that no longer owns any. */
const nobodys = collections.map((collection): Count => ({
  collection,
  owner: addresses[0],
  date: days[0],
  tokenCount: 0,
}));

describe('the owners of a collection', () => {
  test('agree with a naive model for any collection, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(counts, fc.array(queries, { minLength: 4, maxLength: 8 }), async (rows, lists) => {
        await clear();
        await load([...nobodys, ...rows]);
        for (const each of lists)
          await expectList(gateway, { ...checkOf(each), expected: await model(rows, each) });
      }),
      { numRuns: 15 },
    );
  });

  test('are each shown once while others are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(counts, counts, queries, async (rows, added, each) => {
        await clear();
        await load([...nobodys, ...rows]);
        const waiting = added.map((row, index) => ({ ...row, owner: addressAt(1000 + index) }));
        const between = () => load(waiting.splice(0, 5));
        await expectList(gateway, { ...checkOf(each), expected: await model(rows, each), between });
      }),
      { numRuns: 10 },
    );
  });
});

describe('a collection', () => {
  const [contract] = collections;
  const loadTokens = (count: number) =>
    importRows(
      gateway.storage,
      'evm.nft-tokens',
      Array.from({ length: count }, (_, index) => ({
        evmChainId: CHAIN,
        address: contract,
        tokenId: String(index),
        owner: addresses[0],
      })),
    );

  test('is null until a token or an owner of it is stored', async () => {
    const ask = () =>
      gateway.graphql<{ nftCollection: { id: string } | null }>(
        `{ nftCollection(chainId: "${CHAIN}", address: "${contract}") { id } }`,
      );
    expect((await ask()).data).toEqual({ nftCollection: null });
    // Anybody may request any number of tokens.
    await poolOf(gateway.storage).query(
      `INSERT INTO nft_token (evm_chain_id, address, token_id) VALUES ($1, decode($2, 'hex'), 1)`,
      [CHAIN, contract?.slice(2)],
    );
    expect((await ask()).data).toEqual({ nftCollection: null });
    await loadTokens(1);
    const { id } = (await ask()).data.nftCollection ?? {};
    await clear();
    await load(nobodys);
    expect((await ask()).data).toEqual({ nftCollection: { id } });
    const again = await gateway.graphql(
      `{ node(id: "${id}") { id ... on NftCollection { chainId address } } }`,
    );
    expect(again.data).toEqual({ node: { id, chainId: CHAIN, address: contract } });
  });

  test('has its tokens with the cursors of nftTokens, and one statement for all of a page', async () => {
    await loadTokens(60);
    await load([{ collection: contract as string, owner: addresses[0], date: days[0], tokenCount: 60 }]);
    type Page = { nodes: object[]; pageInfo: { endCursor: string } };
    const where = `chainId: "${CHAIN}", address: "${contract}"`;
    const list = 'nodes { tokenId } pageInfo { endCursor }';
    const first = await gateway.graphql<{ nftCollection: { tokens: Page } }>(
      `{ nftCollection(${where}) { tokens(first: 2) { ${list} } } }`,
    );
    const { endCursor } = first.data.nftCollection.tokens.pageInfo;
    const next = await gateway.graphql<{ nftTokens: Page }>(
      `{ nftTokens(${where}, first: 1, after: "${endCursor}") { ${list} } }`,
    );
    expect(next.data.nftTokens.nodes).toEqual([{ tokenId: '2' }]);
    for (const size of [5, 60]) {
      const { result, statements } = await countStatements(() =>
        gateway.graphql<{ nftTokens: Page }>(
          `{ nftTokens(${where}, first: ${size}) { nodes { collection {
            address tokens(first: 1) { nodes { tokenId } } owners(first: 1) { nodes { tokenCount evmAddress { address } } } } } } }`,
        ),
      );
      expect(result.errors).toBeUndefined();
      // The tokens; the first token of each collection; the owners; their chain.
      expect(statements).toHaveLength(4);
      expect(result.data.nftTokens.nodes[0]).toEqual({
        collection: {
          address: contract,
          tokens: { nodes: [{ tokenId: '0' }] },
          owners: { nodes: [{ tokenCount: '60', evmAddress: { address: addresses[0] } }] },
        },
      });
    }
  });
});
