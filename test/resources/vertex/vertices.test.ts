import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blockchainIds } from '../../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { expectList, paging, within } from '../../harness/list-model.js';
import { importRows, importRowsOrReject } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';
import {
  hashOf,
  HELD,
  importTransactions,
  importVertices,
  newestFirst,
  toRow,
  txHash,
  vertices,
  type Vertex,
} from '../../harness/vertex-model.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(clear);

async function clear(): Promise<void> {
  await poolOf(gateway.storage).query('TRUNCATE vertex, transaction CASCADE');
}

const load = (rows: readonly Vertex[]) => importVertices(gateway.storage, rows);
const hold = (...rows: object[]) => importRows(gateway.storage, 'fuji.x-chain.vertices', rows);
const fujiOf = (rows: readonly Vertex[]) => rows.filter(({ network }) => network === 'fuji');

const pages = fc.record(paging(7));
const withinVertex = (name: number) => within(`vertex(network: fuji, vertexHash: "${hashOf({ name })}")`);
const key = 'vertexHash';

describe('a list of vertices', () => {
  test('agrees with a naive sort for any network, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(vertices, pages, async (rows, page) => {
        await clear();
        await load(rows);
        for (const network of ['mainnet', 'fuji'] as const) {
          const expected = newestFirst(rows, network);
          const field = `vertices(network: ${network}, blockchainId: "${blockchainIds[network].x}"`;
          await expectList(gateway, { field, key, expected, ...page });
          const { body } = await gateway.get(
            `/v1/networks/${network}/blockchains/x-chain/vertices?pageSize=100`,
          );
          expect((body.vertices as { vertexHash: string }[]).map(({ vertexHash }) => vertexHash)).toEqual(
            expected,
          );
        }
      }),
      { numRuns: 10 },
    );
  });

  test('shows every one that was there at the start, once, while others are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(vertices, vertices, pages, async (rows, added, page) => {
        await clear();
        await load(rows);
        const waiting = added.map((row) => ({ ...row, name: row.name + 1000 }));
        await expectList(gateway, {
          field: 'vertices(network: fuji',
          key,
          expected: newestFirst(rows, 'fuji'),
          ...page,
          between: () => load(waiting.splice(0, 5)),
        });
      }),
      { numRuns: 8 },
    );
  });

  test('gives back what was imported, in a list named vertices, with chainInfo', async () => {
    const row = toRow({ name: 1, network: 'fuji', timestamp: 4_294_967_296, transactions: [3, 1, 2] });
    await hold(row);
    const { status, body } = await gateway.get('/v1/networks/testnet/blockchains/x-chain/vertices');
    expect(status).toBe(200);
    expect(body).toEqual({ vertices: [row], chainInfo: { chainName: 'x-chain', network: 'fuji' } });
  });

  test('exists for the X-chain alone', async () => {
    for (const chain of ['p-chain', 'c-chain', blockchainIds.fuji.x, 'nonsense'])
      expect((await gateway.get(`/v1/networks/mainnet/blockchains/${chain}/vertices`)).status).toBe(400);
  });
});

describe('vertices and transactions', () => {
  test('lead to one another, each way in order and page by page', async () => {
    await importTransactions(gateway.storage);
    await fc.assert(
      fc.asyncProperty(vertices, pages, async (rows, page) => {
        await poolOf(gateway.storage).query('TRUNCATE vertex CASCADE');
        await load(rows);
        const fuji = fujiOf(rows);
        for (const vertex of fuji.slice(0, 4)) {
          await expectList(gateway, {
            field: 'transactions(',
            key: 'txHash',
            expected: vertex.transactions.filter((number) => number < HELD).map(txHash),
            ...page,
            within: withinVertex(vertex.name),
          });
        }
        for (const number of [0, 5]) {
          await expectList(gateway, {
            field: 'vertices(',
            key,
            expected: newestFirst(
              fuji.filter(({ transactions }) => transactions.includes(number)),
              'fuji',
            ),
            ...page,
            within: within(
              `transaction(network: fuji, blockchainId: "x-chain", txHash: "${txHash(number)}")`,
            ),
          });
        }
      }),
      { numRuns: 8 },
    );
  });

  test('cost a constant number of statements, however many there are', async () => {
    await importTransactions(gateway.storage);
    const rows = Array.from({ length: 20 }, (_, name) =>
      toRow({ name, network: 'fuji', timestamp: name, transactions: [name % HELD, (name + 1) % HELD] }),
    );
    await hold(...rows);
    const query = `{ vertices(network: fuji, first: 20) { nodes { transactions(first: 1) {
      totalCount nodes { vertices(first: 1) { totalCount totalCountIsExact nodes { vertexHash } } } } } } }`;
    const { result, statements } = await countStatements(() => gateway.graphql(query));
    expect(result.errors).toBeUndefined();
    expect(statements).toHaveLength(5);
  });

  test('a vertex is found by its global id', async () => {
    const row = toRow({ name: 1, network: 'fuji', timestamp: 1, transactions: [1] });
    await hold(row);
    const { data } = await gateway.graphql<{ vertices: { nodes: { id: string }[] } }>(
      '{ vertices(network: fuji) { nodes { id } } }',
    );
    const [node] = data.vertices.nodes;
    const again = await gateway.graphql(`{ node(id: "${node?.id}") { id ... on Vertex { txHashes } } }`);
    expect(again.data).toEqual({ node: { id: node?.id, txHashes: row.transactions } });
  });
});

describe('the import of vertices', () => {
  const row = toRow({ name: 1, network: 'fuji', timestamp: 1, transactions: [1, 2, 3] });

  test('takes a later row for the truth, its shorter list too', async () => {
    await hold(row);
    const later = { ...row, txCount: 1, transactions: [txHash(9)] };
    await hold(later);
    const { body } = await gateway.get('/v1/networks/fuji/blockchains/x-chain/vertices');
    expect(body.vertices).toEqual([later]);
  });

  test('rejects a row that lacks a field or names a transaction twice', async () => {
    const lacking = Object.keys(row).map((name) => ({ ...row, [name]: undefined }));
    const twice = { ...row, transactions: [txHash(1), txHash(1)] };
    const rejected = await importRowsOrReject(gateway.storage, 'fuji.x-chain.vertices', [...lacking, twice]);
    expect(rejected).toHaveLength(Object.keys(row).length + 1);
  });
});
