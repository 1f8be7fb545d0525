import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageRequest } from '../../../src/paging/page-request.js';
import { childVertexList, vertexList } from '../../../src/resources/vertex/list.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';

const VERTICES = 60_000;
const PAGE = 10;
/** Blocks that a page may read, of over 2,000. */
const BUFFERS = 100;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  // Each builds on the two before it; every 3,000th of them on the first one too.
  await pool.query(
    `INSERT INTO vertex (network, vertex_hash, parent_hashes, height, index, timestamp, tx_count, size_bytes)
     SELECT 'fuji', 'vertex ' || n, array_remove(ARRAY['vertex ' || n - 1, 'vertex ' || n - 2,
       CASE WHEN n % 3000 = 0 THEN 'vertex 1' END], NULL), CASE n % 2 WHEN 0 THEN 2 ELSE n END, 0, n, 0, 100
     FROM generate_series(1, ${VERTICES}) n`,
  );
  await pool.query('VACUUM ANALYZE vertex');
});
afterAll(() => gateway?.close());

test.each(['generic', 'custom'] as const)(
  'a page of children touches a bounded number of blocks, few or none of them among many vertices (%s plan)',
  async (plan) => {
    const request: PageRequest = { direction: 'forward', limit: PAGE, after: null, before: null };
    for (const [number, expected] of [
      ['1', PAGE + 1],
      ['100', 2],
      [`${VERTICES}`, 0],
    ] as const) {
      const query = { network: 'fuji' as const, vertexHash: `vertex ${number}` };
      const { rows, buffers } = await touchedByReading(
        gateway.storage,
        (storage) => childVertexList.readBatch(storage, [{ query, request }]),
        plan,
      );
      expect(rows).toBe(expected);
      expect(buffers).toBeLessThan(BUFFERS);
    }
  },
);

test.each(['generic', 'custom'] as const)(
  'so does a page of the vertices of a height, of which half of all are, one is and none is (%s plan)',
  async (plan) => {
    for (const [vertexHeight, after, expected] of [
      ['2', null, PAGE + 1],
      ['2', String(VERTICES / 2), PAGE + 1],
      ['101', null, 1],
      [String(VERTICES), null, 0],
    ] as const) {
      const query = { network: 'fuji', blockchainId: 'x', vertexHeight, sortOrder: 'desc' } as const;
      const request: PageRequest = { direction: 'forward', limit: PAGE, after, before: null };
      const read = (storage: Storage) => vertexList.read(storage, query, request);
      const { rows, buffers } = await touchedByReading(gateway.storage, read, plan);
      expect(rows).toBe(expected);
      expect(buffers).toBeLessThan(BUFFERS);
    }
  },
);

test('so does the one statement of an operation that was seen before', async () => {
  const query = `{ vertices(network: fuji, first: 10) { nodes { children { nodes { vertexHash } } } } }`;
  await gateway.graphql(query);
  const { storage } = gateway.services;
  const read = storage.read.bind(storage);
  const sent: Parameters<typeof read>[] = [];
  storage.read = (...statement) => {
    sent.push(statement);
    return read(...statement);
  };
  await gateway.graphql(query);
  storage.read = read;
  const [[statement, values] = []] = sent;
  if (!statement || !values || sent.length > 1) throw new Error(`${sent.length} statements were read`);
  expect(statement.name).toMatch(/^operation:/);
  const again = (storage: Storage) => storage.read(statement, values);
  const { buffers } = await touchedByReading(gateway.storage, again, 'custom');
  expect(buffers).toBeLessThan(10 * BUFFERS);
});

test('the measurement can tell: reading all vertices touches far more', async () => {
  const everything = { name: '', text: 'SELECT count(size_bytes) FROM vertex', parameters: [] };
  expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 10);
});
