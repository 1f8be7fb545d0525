import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { expectList, paging, within } from '../../harness/list-model.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';
import {
  childrenOf,
  hashOf,
  importVertices,
  toRow,
  vertices,
  type Vertex,
} from '../../harness/vertex-model.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(() => clear());

const clear = () => poolOf(gateway.storage).query('TRUNCATE vertex CASCADE');
const load = (rows: readonly Vertex[]) => importVertices(gateway.storage, rows);
const fujiOf = (rows: readonly Vertex[]) => rows.filter(({ network }) => network === 'fuji');

const pages = fc.record(paging(7));
const withinVertex = (name: number) => within(`vertex(network: fuji, vertexHash: "${hashOf({ name })}")`);
const key = 'vertexHash';

describe('the parents and the children of a vertex', () => {
  test('agree with a naive search for any network, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(vertices, pages, async (rows, page) => {
        await clear();
        await load(rows);
        const fuji = fujiOf(rows);
        const held = new Set(fuji.map(({ name }) => name));
        const walk = { key, ...page };
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
      fc.asyncProperty(others, others, pages, async (rows, added, page) => {
        const waiting = added.map((row) => ({ ...row, name: row.name + 1000 }));
        const check = { key, ...page, within: withinVertex(0) };
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
