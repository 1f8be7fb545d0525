import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { collections } from '../../../sample/nfts.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { countStatements } from '../../harness/statements.js';
import { poolOf } from '../../harness/connections.js';

const collection = `0x${'a1'.repeat(20)}`;
const other = `0x${'b2'.repeat(20)}`;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(() => poolOf(gateway.storage).query('TRUNCATE nft_token'));

interface Given {
  tokenId: bigint;
  owned: boolean;
  fetched: boolean;
  moved: boolean;
}

async function store(address: string, tokens: readonly Given[], evmChainId = 43113): Promise<void> {
  await poolOf(gateway.storage).query(
    `INSERT INTO nft_token (evm_chain_id, address, token_id, owner, fetched_at, metadata_status, standard,
       metadata_address, name, attributes, raw_metadata, last_transfer_block)
     SELECT $1, decode($2, 'hex'), id, CASE WHEN owned THEN decode($2, 'hex') END, CASE WHEN fetched THEN now() END,
       CASE WHEN fetched THEN 'done' ELSE 'queued' END, 'ERC-721', 'https://x.example/', 'name of ' || id, '[]', '{}',
       CASE WHEN moved THEN 7 END
     FROM unnest($3::numeric[], $4::boolean[], $5::boolean[], $6::boolean[]) AS given(id, owned, fetched, moved)`,
    [
      evmChainId,
      address.slice(2),
      tokens.map((token) => token.tokenId),
      tokens.map((token) => token.owned),
      tokens.map((token) => token.fetched),
      tokens.map((token) => token.moved),
    ],
  );
}

const list = `query ($chainId: String = "43113", $address: String!, $first: Int, $after: String, $last: Int, $before: String) {
  nftTokens(chainId: $chainId, address: $address, first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { tokenId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount
  }
}`;

interface Page {
  edges: { cursor: string; node: { tokenId: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
  totalCount: number;
}

async function read(variables: object, asked = gateway): Promise<Page> {
  const { data, errors } = await asked.graphql<{ nftTokens: Page }>(list, {
    address: collection,
    ...variables,
  });
  expect(errors).toBeUndefined();
  return data.nftTokens;
}

async function walk(size: number, forward: boolean): Promise<string[]> {
  const found: string[][] = [];
  for (let cursor = ''; ;) {
    const page = await read(forward ? { first: size, after: cursor } : { last: size, before: cursor });
    found.push(page.edges.map((edge) => edge.node.tokenId));
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
    if (!(forward ? hasNextPage : hasPreviousPage)) break;
    cursor = forward ? endCursor : startCursor;
  }
  return (forward ? found : found.reverse()).flat();
}

describe("a collection's tokens", () => {
  test('come by rising id, each once, whatever the page size and direction; mere requests are left out', async () => {
    const tokens = fc.uniqueArray(
      fc.record({
        tokenId: fc.oneof(fc.bigInt(0n, 30n), fc.bigInt(0n, 2n ** 256n - 1n)),
        owned: fc.boolean(),
        fetched: fc.boolean(),
        moved: fc.boolean(),
      }),
      { selector: (token) => token.tokenId, maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(tokens, fc.integer({ min: 1, max: 8 }), fc.boolean(), async (given, size, forward) => {
        await poolOf(gateway.storage).query('TRUNCATE nft_token');
        await store(collection, given);
        await store(other, given);
        await store(collection, given, 43114);
        const expected = given
          .filter((token) => token.owned || token.fetched || token.moved)
          .map((token) => token.tokenId)
          .sort((a, b) => (a < b ? -1 : 1))
          .map(String);
        expect(await walk(size, forward)).toEqual(expected);
        expect((await read({ first: 1 })).totalCount).toBe(expected.length);
      }),
      { numRuns: 40 },
    );
  });

  test('go on from a cursor whose token is hidden or has a new neighbour', async () => {
    const token = (tokenId: bigint) => ({ tokenId, owned: true, fetched: false, moved: false });
    await store(collection, [1n, 3n, 5n].map(token));
    const { pageInfo } = await read({ first: 2 });
    await poolOf(gateway.storage).query('UPDATE nft_token SET owner = NULL WHERE token_id = 3');
    await store(collection, [2n, 4n].map(token));
    const page = await read({ first: 5, after: pageInfo.endCursor });
    expect(page.edges.map((edge) => edge.node.tokenId)).toEqual(['4', '5']);
  });

  test.each([
    ['of an unknown chain', { chainId: '999' }],
    ['of a chain beyond what can be stored', { chainId: (2n ** 200n).toString() }],
    ['of an unknown blockchain id', { chainId: '2rQU7nLtsP5BUaz8EtRcmH5W8e7MqdPZe55Zc4Kc5yrVgkLbmC' }],
    ['of an unknown contract', { address: other }],
  ])('are none %s, and a token there is null', async (_what, named) => {
    await store(collection, [{ tokenId: 1n, owned: true, fetched: true, moved: false }]);
    expect(await read(named)).toMatchObject({ edges: [], totalCount: 0 });
    const args = { chainId: '43113', address: collection, ...named };
    const { data } = await gateway.graphql(
      'query ($chainId: String!, $address: String!) { nftToken(chainId: $chainId, address: $address, tokenId: "1") { id } }',
      args,
    );
    expect(data).toEqual({ nftToken: null });
  });

  test('are refused with every wrong argument named', async () => {
    const { errors } = await gateway.graphql(list, { chainId: 'x-chain', address: '0x1' });
    expect(errors?.[0]?.extensions['messages']).toEqual([
      expect.stringContaining('chainId: "x-chain"'),
      expect.stringContaining('address: "0x1"'),
    ]);
  });

  test('take one statement a page, one more for all their metadata and one more for their documents', async () => {
    await store(
      collection,
      Array.from({ length: 20 }, (_, index) => ({
        tokenId: BigInt(index),
        owned: true,
        moved: false,
        fetched: index % 2 === 0,
      })),
    );
    const cost = async (fields: string) => {
      const query = `{ nftTokens(chainId: "43113", address: "${collection}", first: 20) { nodes { tokenId ${fields} } } }`;
      const { result, statements } = await countStatements(() => gateway.graphql(query));
      expect(result.errors).toBeUndefined();
      return statements;
    };
    const plain = await cost('owner');
    expect(plain).toHaveLength(1);
    expect(plain.join()).not.toMatch(/raw_metadata|attributes/);
    const metadata = await cost('metadata { name attributes { value } }');
    expect(metadata).toHaveLength(2);
    expect(metadata.join()).not.toContain('raw_metadata');
    expect(await cost('metadata { name raw } chain { chainName }')).toHaveLength(4);
  });

  test('cost the page, however many tokens were merely asked for', async () => {
    const pool = poolOf(gateway.storage);
    await pool.query(
      `INSERT INTO nft_token (evm_chain_id, address, token_id, owner)
       SELECT 43113, decode($1, 'hex'), id, CASE WHEN id % 1000 = 999 THEN decode($1, 'hex') END
       FROM generate_series(0, 49999) AS id`,
      [collection.slice(2)],
    );
    await pool.query('VACUUM ANALYZE nft_token');
    const { statements } = await countStatements(() => read({ first: 10 }));
    const page = statements.find((text) => text.includes('ORDER BY'))!;
    const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${page}`,
      [43113, `\\x${collection.slice(2)}`, 11],
    );
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!;
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(30);
  });
});

describe('the tokens of the sample', () => {
  test('are imported and listed', async () => {
    const holding = await createApp({}, { sample: true });
    onTestFinished(() => holding.close());
    for (const { address, tokens } of collections) {
      const page = await read({ address, first: 3 }, holding);
      expect(page.totalCount).toBe(tokens);
      expect(page.edges.map((edge) => edge.node.tokenId)).toEqual(['1', '2', '3']);
    }
  });
});
