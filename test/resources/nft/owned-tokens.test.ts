import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { addresses, chainRow, frameRow, hashAt } from '../../harness/evm-rows.js';
import { expectGrowingList, expectList, paging, within } from '../../harness/list-model.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';

const chains = ['77', '78'] as const;
const collections = addresses.slice(2);

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(
    gateway.storage,
    'evm.chains',
    chains.map((id) => chainRow(id)),
  );
});
afterAll(() => gateway.close());
beforeEach(() => poolOf(gateway.storage).query('TRUNCATE nft_token'));

interface Token {
  chain: string;
  collection: string;
  tokenId: bigint;
  owner: string | undefined;
}

const tokens = fc.uniqueArray(
  fc.record({
    chain: fc.constantFrom(...chains),
    collection: fc.constantFrom(...collections),
    tokenId: fc.oneof(fc.bigInt(0n, 40n), fc.bigInt(2n ** 256n - 9n, 2n ** 256n - 1n)),
    owner: fc.option(fc.constantFrom(...addresses.slice(0, 2)), { nil: undefined }),
  }),
  { maxLength: 60, selector: ({ chain, collection, tokenId }) => `${chain} ${collection} ${tokenId}` },
);
const queries = fc.record({
  chain: fc.constantFrom(...chains),
  owner: fc.constantFrom(...addresses.slice(0, 3)),
  collection: fc.option(fc.constantFrom(...addresses.slice(1)), { nil: undefined }),
  pageSize: fc.integer({ min: 1, max: 7 }),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
});
type Query = typeof queries extends fc.Arbitrary<infer T> ? T : never;

const load = (rows: readonly Token[]) =>
  importRows(
    gateway.storage,
    'evm.nft-tokens',
    rows.map(({ chain, collection, tokenId, owner }) => ({
      evmChainId: chain,
      address: collection,
      tokenId: String(tokenId),
      ...(owner && { owner }),
    })),
  );

/** The global ids of an address's tokens, by checking every token. */
function model(rows: readonly Token[], { chain, owner, collection }: Query): string[] {
  const keyOf = (row: Token) => `${row.collection.toLowerCase()} ${String(row.tokenId).padStart(78, '0')}`;
  return rows
    .filter((row) => row.chain === chain && row.owner === owner)
    .filter((row) => collection === undefined || row.collection === collection)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((row) =>
      Buffer.from(`NftToken:${row.chain}:${row.collection}:${row.tokenId}`).toString('base64url'),
    );
}

const checkOf = ({ chain, owner, collection, pageSize, direction }: Query) => ({
  field: `nfts(collection: ${collection ? `"${collection.toLowerCase()}"` : null}`,
  key: 'id',
  pageSize,
  direction,
  within: within(`evmAddress(chainId: "${chain}", address: "${owner}")`),
});

describe('the NFTs of an address', () => {
  test('agree with a naive filter for any owner, collection, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(tokens, fc.array(queries, { minLength: 4, maxLength: 8 }), async (rows, lists) => {
        await poolOf(gateway.storage).query('TRUNCATE nft_token');
        await load(rows);
        for (const each of lists)
          await expectList(gateway, { ...checkOf(each), expected: model(rows, each) });
      }),
      { numRuns: 15 },
    );
  });

  test('are each shown once while others are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(tokens, tokens, queries, async (rows, added, each) => {
        await poolOf(gateway.storage).query('TRUNCATE nft_token');
        await load(rows);
        const waiting = added.map((row) => ({ ...row, tokenId: (row.tokenId % 100n) + 100n }));
        const between = () => load(waiting.splice(0, 5));
        await expectList(gateway, { ...checkOf(each), expected: model(rows, each), between });
      }),
      { numRuns: 10 },
    );
  });

  test("are one statement for all addresses of a page, and those merely asked for are nobody's", async () => {
    const [owner, other, collection] = addresses;
    await load([
      { chain: '77', collection, tokenId: 1n, owner },
      { chain: '77', collection, tokenId: 2n, owner: undefined },
    ]);
    const frames = Array.from({ length: 40 }, (_, index) =>
      frameRow({ txHash: hashAt(index), from: { address: other }, to: { address: owner } }),
    );
    await importRows(gateway.storage, 'evm.77.internal-transactions', frames);
    for (const size of [5, 40]) {
      const { result, statements } = await countStatements(() =>
        gateway.graphql<{ internalTransactions: { nodes: object[] } }>(
          `{ internalTransactions(chainId: "77", first: ${size}) { nodes {
            to { evmAddress { nfts { nodes { tokenId } } } } from { evmAddress { nfts { nodes { tokenId } } } } } } }`,
        ),
      );
      expect(result.errors).toBeUndefined();
      // The chain, the internal transactions, the tokens.
      expect(statements).toHaveLength(3);
      expect(result.data.internalTransactions.nodes[0]).toEqual({
        to: { evmAddress: { nfts: { nodes: [{ tokenId: '1' }] } } },
        from: { evmAddress: { nfts: { nodes: [] } } },
      });
    }
  });
});

describe('the tokens of a collection', () => {
  test('agree with a naive filter for any collection, page size and direction, while others are added between pages or not', async () => {
    // So that each collection exists.
    const base = chains.flatMap((chain) =>
      collections.map((collection): Token => ({ chain, collection, tokenId: 41n, owner: addresses[0] })),
    );
    const wanted = fc.record({
      ...paging(7),
      chain: fc.constantFrom(...chains),
      collection: fc.constantFrom(...collections),
    });
    await fc.assert(
      fc.asyncProperty(tokens, tokens, wanted, async (rows, added, { chain, collection, ...page }) => {
        await poolOf(gateway.storage).query('TRUNCATE nft_token');
        await load([...base, ...rows]);
        const expected = [...base, ...rows]
          .filter((row) => row.chain === chain && row.collection === collection && row.owner !== undefined)
          .map(({ tokenId }) => tokenId)
          .sort((a, b) => (a < b ? -1 : 1))
          .map(String);
        const own = `nftCollection(chainId: "${chain}", address: "${collection}")`;
        const list = { field: 'tokens(', key: 'tokenId', expected, ...page, within: within(own) };
        const waiting = added.map((row) => ({ ...row, tokenId: (row.tokenId % 100n) + 100n }));
        await expectGrowingList(gateway, list, () => load(waiting.splice(0, 5)));
      }),
      { numRuns: 15 },
    );
  });
});
