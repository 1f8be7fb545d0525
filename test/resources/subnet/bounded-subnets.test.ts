import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListPage } from '../../../src/lists/read.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import type { ReferenceQuery } from '../../../src/resources/reference/arguments.js';
import {
  chainCreationList,
  findOwning,
  findSubnets,
  subnetList,
  subnetTransactionList,
} from '../../../src/resources/subnet/list.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { withLateIndexes } from '../../harness/late-indexes.js';

const TRANSACTIONS = 300_000;
const SUBNETS = 5_000;
const PAGE = 10;
/** Blocks of 8 kB that a page may read; the table and its indexes have over 5,000. */
const BUFFERS = 200;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  await withLateIndexes(pool, 'transaction', () =>
    pool.query(
      `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, details, tie)
     SELECT 'mainnet', 'p', 'transaction ' || n,
       CASE WHEN n % 99999 = 1 THEN 'CreateChainTx' WHEN n % 10 = 0 THEN 'CreateSubnetTx' ELSE 'AddDelegatorTx' END,
       1600000000 + n / 10, '{"value":[]}', (n * 48271::bigint) % 2147483647
     FROM generate_series(1, ${TRANSACTIONS}) n`,
    ),
  );
  await pool.query(
    `INSERT INTO subnet (network, subnet_id) SELECT 'mainnet', 'subnet ' || lpad(n::text, 6, '0')
     FROM generate_series(1, ${SUBNETS}) n`,
  );
  // All name the first one; each of the others is named by a few, or only by a metric.
  await withLateIndexes(pool, 'subnet_transaction', () =>
    pool.query(
      `INSERT INTO subnet_transaction
     SELECT t.id, named.id, t.tx_type, t.block_timestamp, t.tie
     FROM transaction t CROSS JOIN LATERAL (
       SELECT 1 UNION SELECT (t.id / 50) % ${SUBNETS} + 1 WHERE t.id % 50 = 0 AND (t.id / 50) % 2 = 1) named(id)`,
    ),
  );
  await pool.query(
    `INSERT INTO subnet_metric SELECT 'mainnet', s.subnet_id, 'fees_paid', day, 7
     FROM subnet s, generate_series(1, 20) day WHERE s.id % 2 = 1`,
  );
  await pool.query('VACUUM (ANALYZE) transaction, subnet, subnet_transaction, subnet_metric');
}, 600_000);
afterAll(() => gateway?.close());

const pageAfter = (after: string | null): PageRequest => ({
  direction: 'forward',
  limit: PAGE,
  after,
  before: null,
});
const all = { rowId: '1', txType: null, txTypes: null, since: null, until: null };

describe.each(['generic', 'custom'] as const)(
  'a page touches a bounded number of blocks (%s plan)',
  (plan) => {
    const touched = (read: (storage: Storage) => Promise<unknown>) =>
      touchedByReading(gateway.storage, read, plan);

    test.each([null, String(SUBNETS - 100)])(
      'of all subnets, the first and the last, after %s',
      async (after) => {
        const query = { network: 'mainnet' as const };
        const { buffers, rows } = await touched((storage) =>
          subnetList.read(storage, query, pageAfter(after)),
        );
        expect(rows).toBe(PAGE + 1);
        expect(buffers).toBeLessThan(BUFFERS);
      },
    );

    test.each<[string, Partial<ReferenceQuery & { rowId: string }>, after: string | null, rows?: number]>([
      ['all of them', {}, null],
      ['page 10,000', {}, String(TRANSACTIONS - 9_999 * PAGE)],
      ['of a rare type', { txType: 'CreateChainTx' }, null, 4],
      [
        'of two types, page 3,000',
        { txTypes: ['AddDelegatorTx', 'CreateChainTx'] },
        String(TRANSACTIONS - 2_999 * PAGE),
      ],
      [
        'of types that there are few or none of',
        { txTypes: ['CreateChainTx', 'ExportTx', 'ImportTx'] },
        null,
        4,
      ],
      ['of a type that there is none of', { txType: 'ImportTx' }, null, 0],
      ['in an interval', { since: '1600010000', until: '1600010001' }, null, 10],
      ['of one that few name', { rowId: '2' }, null, 2],
    ])('of the transactions that name a subnet: %s', async (_title, query, after, expected = PAGE + 1) => {
      const { buffers, rows } = await touched((storage) =>
        subnetTransactionList.read(storage, { ...all, ...query }, pageAfter(after)),
      );
      expect(rows).toBe(expected);
      expect(buffers).toBeLessThan(BUFFERS);
    });

    test('of the chains of ten subnets, their owners and themselves by key', async () => {
      const ids = Array.from({ length: 10 }, (_, index) => String(index + 1));
      const pages = ids.map((rowId) => ({ query: { rowId }, request: pageAfter(null) }));
      const creations = await touched((storage) =>
        chainCreationList.readBatch(storage, pages as [ListPage<{ rowId: string }>]),
      );
      expect(creations.rows).toBe(4);
      const owning = await touched((storage) =>
        findOwning(
          storage,
          ids.map((rowId) => ({ rowId })),
        ),
      );
      expect(owning.rows).toBeGreaterThan(4);
      const keys = ids.map((id) => ({
        network: 'mainnet' as const,
        subnetId: `subnet ${id.padStart(6, '0')}`,
      }));
      const found = await touched((storage) => findSubnets(storage, keys));
      expect(found.rows).toBe(10);
      for (const { buffers } of [creations, owning, found]) expect(buffers).toBeLessThan(BUFFERS);
    });
  },
);

test('the measurement can tell: reading all links touches far more', async () => {
  const everything = { name: '', text: 'SELECT sum(time) FROM subnet_transaction', parameters: [] };
  expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 10);
});
