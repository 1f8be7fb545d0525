import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blockchainIds, type Network } from '../../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { idOf, transactionRow } from '../../harness/ledger-rows.js';
import { expectList } from '../../harness/list-model.js';
import { importRows, importRowsOrReject } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';
import { poolOf } from '../../harness/connections.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(clear);

async function clear(): Promise<void> {
  await poolOf(gateway.storage).query('TRUNCATE vertex, transaction CASCADE');
}

interface Vertex {
  name: number;
  network: Network;
  timestamp: number;
  transactions: number[];
  /** Names of others; some of them are not held. */
  parents: number[];
}

const HELD = 12;
const txHash = (number: number) => idOf(`transaction ${number}`);
const hashOf = ({ name }: Pick<Vertex, 'name'>) => idOf(`vertex ${name}`);

// Few different times; some of the transactions are not held.
const vertices = fc
  .array(
    fc.record({
      network: fc.constantFrom<Network>('mainnet', 'fuji'),
      timestamp: fc.constantFrom(1_600_000_000, 1_600_000_001, 4_294_967_296),
      transactions: fc.uniqueArray(fc.integer({ min: 0, max: HELD + 3 }), { maxLength: 9 }),
      parents: fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { maxLength: 6 }),
    }),
    { maxLength: 50 },
  )
  .map((rows) => rows.map((row, name): Vertex => ({ ...row, name })));

const toRow = ({ parents = [], ...vertex }: Omit<Vertex, 'parents'> & Partial<Vertex>) => ({
  vertexHash: hashOf(vertex),
  parentHashes: parents.map((name) => hashOf({ name })),
  vertexHeight: vertex.name,
  vertexIndex: 0,
  vertexTimestamp: vertex.timestamp,
  txCount: vertex.transactions.length,
  transactions: vertex.transactions.map(txHash),
  vertexSizeBytes: 425,
});

async function load(rows: readonly Vertex[]): Promise<void> {
  for (const network of ['mainnet', 'fuji'] as const) {
    const own = rows.filter((row) => row.network === network);
    await importRows(gateway.storage, `${network}.x-chain.vertices`, own.map(toRow));
  }
}

async function loadTransactions(): Promise<void> {
  const rows = Array.from({ length: HELD }, (_, number) => transactionRow(`transaction ${number}`));
  await importRows(gateway.storage, 'fuji.x-chain.transactions', rows);
}

const newestFirst = (rows: readonly Vertex[], network: Network) =>
  rows
    .filter((row) => row.network === network)
    .sort((a, b) => b.timestamp - a.timestamp || (hashOf(a) < hashOf(b) ? 1 : -1))
    .map(hashOf);

const pageSize = fc.integer({ min: 1, max: 7 });
const direction = fc.constantFrom('forward' as const, 'backward' as const);

describe('a list of vertices', () => {
  test('agrees with a naive sort for any network, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(vertices, pageSize, direction, async (rows, size, way) => {
        await clear();
        await load(rows);
        for (const network of ['mainnet', 'fuji'] as const) {
          const expected = newestFirst(rows, network);
          const field = `vertices(network: ${network}, blockchainId: "${blockchainIds[network].x}"`;
          await expectList(gateway, { field, key: 'vertexHash', expected, pageSize: size, direction: way });
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
      fc.asyncProperty(vertices, vertices, pageSize, direction, async (rows, added, size, way) => {
        await clear();
        await load(rows);
        const waiting = added.map((row) => ({ ...row, name: row.name + 1000 }));
        await expectList(gateway, {
          field: 'vertices(network: fuji',
          key: 'vertexHash',
          expected: newestFirst(rows, 'fuji'),
          pageSize: size,
          direction: way,
          between: () => load(waiting.splice(0, 5)),
        });
      }),
      { numRuns: 8 },
    );
  });

  test('gives back what was imported, in a list named vertices, with chainInfo', async () => {
    const row = toRow({ name: 1, network: 'fuji', timestamp: 4_294_967_296, transactions: [3, 1, 2] });
    await importRows(gateway.storage, 'fuji.x-chain.vertices', [row]);
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
    await loadTransactions();
    await fc.assert(
      fc.asyncProperty(vertices, pageSize, direction, async (rows, size, way) => {
        await poolOf(gateway.storage).query('TRUNCATE vertex CASCADE');
        await load(rows);
        const fuji = rows.filter(({ network }) => network === 'fuji');
        for (const vertex of fuji.slice(0, 4)) {
          await expectList(gateway, {
            field: 'transactions(',
            key: 'txHash',
            expected: vertex.transactions.filter((number) => number < HELD).map(txHash),
            pageSize: size,
            direction: way,
            within: {
              wrap: (list) => `vertex(network: fuji, vertexHash: "${hashOf(vertex)}") { ${list} }`,
              find: (data) => (data['vertex'] as unknown as { list: unknown }).list,
            },
          });
        }
        for (const number of [0, 5]) {
          await expectList(gateway, {
            field: 'vertices(',
            key: 'vertexHash',
            expected: newestFirst(
              fuji.filter(({ transactions }) => transactions.includes(number)),
              'fuji',
            ),
            pageSize: size,
            direction: way,
            within: {
              wrap: (list) =>
                `transaction(network: fuji, blockchainId: "x-chain", txHash: "${txHash(number)}") { ${list} }`,
              find: (data) => (data['transaction'] as unknown as { list: unknown }).list,
            },
          });
        }
      }),
      { numRuns: 8 },
    );
  });

  test('cost a constant number of statements, however many there are', async () => {
    await loadTransactions();
    const rows = Array.from({ length: 20 }, (_, name) =>
      toRow({ name, network: 'fuji', timestamp: name, transactions: [name % HELD, (name + 1) % HELD] }),
    );
    await importRows(gateway.storage, 'fuji.x-chain.vertices', rows);
    const query = `{ vertices(network: fuji, first: 20) { nodes { transactions(first: 1) {
      totalCount nodes { vertices(first: 1) { totalCount totalCountIsExact nodes { vertexHash } } } } } } }`;
    const { result, statements } = await countStatements(() => gateway.graphql(query));
    expect(result.errors).toBeUndefined();
    expect(statements).toHaveLength(5);
  });

  test('a vertex is found by its global id', async () => {
    const row = toRow({ name: 1, network: 'fuji', timestamp: 1, transactions: [1] });
    await importRows(gateway.storage, 'fuji.x-chain.vertices', [row]);
    const { data } = await gateway.graphql<{ vertices: { nodes: { id: string }[] } }>(
      '{ vertices(network: fuji) { nodes { id } } }',
    );
    const [node] = data.vertices.nodes;
    const again = await gateway.graphql(`{ node(id: "${node?.id}") { id ... on Vertex { txHashes } } }`);
    expect(again.data).toEqual({ node: { id: node?.id, txHashes: row.transactions } });
  });
});

describe('the parents and the children of a vertex', () => {
  const withinVertex = (name: number) => ({
    wrap: (list: string) => `vertex(network: fuji, vertexHash: "${hashOf({ name })}") { ${list} }`,
    find: (data: Record<string, never>) => (data['vertex'] as unknown as { list: unknown }).list,
  });
  const fujiOf = (rows: readonly Vertex[]) => rows.filter(({ network }) => network === 'fuji');
  const childrenOf = (rows: readonly Vertex[], name: number) =>
    newestFirst(
      rows.filter(({ parents }) => parents.includes(name)),
      'fuji',
    );

  test('agree with a naive search for any network, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(vertices, pageSize, direction, async (rows, size, way) => {
        await clear();
        await load(rows);
        const fuji = fujiOf(rows);
        const held = new Set(fuji.map(({ name }) => name));
        const walk = { key: 'vertexHash', pageSize: size, direction: way };
        for (const { name, parents } of fuji.slice(0, 5)) {
          const expected = parents.filter((each) => held.has(each)).map((each) => hashOf({ name: each }));
          await expectList(gateway, { ...walk, field: 'parents(', expected, within: withinVertex(name) });
          await expectList(gateway, {
            ...walk,
            field: 'children(',
            expected: childrenOf(rows, name),
            within: withinVertex(name),
          });
        }
      }),
      { numRuns: 10 },
    );
  });

  test('show every one that was there at the start, once, while others are added between pages', async () => {
    const root: Vertex = {
      name: 0,
      network: 'fuji',
      timestamp: 1,
      transactions: [],
      parents: [1, 2, 1001, 3, 1002, 4],
    };
    const others = vertices.map((rows) =>
      rows.map((row) => ({
        ...row,
        name: row.name + 1,
        parents: [0, ...row.parents.map((each) => each + 1)],
      })),
    );
    await fc.assert(
      fc.asyncProperty(others, others, pageSize, direction, async (rows, added, size, way) => {
        const waiting = added.map((row) => ({ ...row, name: row.name + 1000 }));
        const check = { key: 'vertexHash', pageSize: size, direction: way, within: withinVertex(0) };
        const between = () => load(waiting.splice(0, 5));
        for (const [field, expected] of [
          ['children(', childrenOf(rows, 0)],
          [
            'parents(',
            fujiOf(rows)
              .filter(({ name }) => name <= 4)
              .map(hashOf),
          ],
        ] as const) {
          await clear();
          await load([root, ...rows]);
          await expectList(gateway, { ...check, field, expected, between });
        }
      }),
      { numRuns: 8 },
    );
  });

  test('cost one statement for each level, however many there are', async () => {
    const rows = Array.from({ length: 40 }, (_, name) =>
      toRow({ name, network: 'fuji', timestamp: name, transactions: [], parents: [name - 1, name - 2, 99] }),
    );
    await importRows(gateway.storage, 'fuji.x-chain.vertices', rows);
    for (const size of [3, 30]) {
      const query = `{ vertices(network: fuji, first: ${size}) { nodes {
        parents(first: 2) { nodes { parents { nodes { children { nodes { vertexHash } } } } children { nodes { vertexHash } } } } } } }`;
      const { result, statements } = await countStatements(() => gateway.graphql(query));
      expect(result.errors).toBeUndefined();
      expect(statements).toHaveLength(5);
    }
  });
});

describe('the import of vertices', () => {
  const row = toRow({ name: 1, network: 'fuji', timestamp: 1, transactions: [1, 2, 3] });

  test('takes a later row for the truth, its shorter list too', async () => {
    await importRows(gateway.storage, 'fuji.x-chain.vertices', [row]);
    const later = { ...row, txCount: 1, transactions: [txHash(9)] };
    await importRows(gateway.storage, 'fuji.x-chain.vertices', [later]);
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
