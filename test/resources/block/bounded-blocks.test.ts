import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageRequest } from '../../../src/paging/page-request.js';
import {
  blockTransactionList,
  findBlocks,
  findBlocksByHash,
  findBlocksOf,
  findFollowing,
  findPrevious,
} from '../../../src/resources/block/list.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { withLateIndexes } from '../../harness/late-indexes.js';

/** Of the first block, and of all that come after it, ten in each. */
const GENESIS = 60_000;
const LATER = 60_000;
const PAGE = 10;
/** Blocks of 8 kB that a block of the chain may read; the table and its indexes have over 5,000. */
const BUFFERS = 40;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  await withLateIndexes(pool, 'transaction', () =>
    pool.query(
      `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, block_number, block_hash, details, tie)
     SELECT 'fuji', 'p', 'transaction ' || n, 'BaseTx', 1600000000 + block.number, block.number, 'block ' || block.number,
       '{"value":[]}', (n * 48271::bigint) % 2147483647
     FROM generate_series(1, ${GENESIS + LATER}) n
     CROSS JOIN LATERAL (SELECT greatest(0, n - ${GENESIS} + 9) / 10 AS number) block`,
    ),
  );
  await pool.query('VACUUM (ANALYZE) transaction');
});
afterAll(() => gateway?.close());

const position = { network: 'fuji', chain: 'p' } as const;
const byNumber = (number: string) => (storage: Storage) => findBlocks(storage, [{ ...position, number }]);
const byHash = (hash: string) => (storage: Storage) => findBlocksByHash(storage, [{ ...position, hash }]);
/** A transaction of the block, by its row id. */
const by = (find: typeof findBlocksOf, transactionId: number) => (storage: Storage) =>
  find(storage, [{ transactionId: String(transactionId) }]);
const pageOf =
  (number: string, page: Partial<PageRequest> = {}) =>
  (storage: Storage) => {
    const request: PageRequest = { direction: 'forward', limit: PAGE, after: null, before: null, ...page };
    return blockTransactionList.readBatch(storage, [{ query: { ...position, number }, request }]);
  };

describe.each(['generic', 'custom'] as const)(
  `a block of ${GENESIS + LATER} transactions touches a bounded number of blocks of the database (%s plan)`,
  (plan) => {
    test.each<[string, (storage: Storage) => Promise<unknown>, rows: number]>([
      ['by the number of one with most of them', byNumber('0'), 1],
      ['by a number', byNumber('3000'), 1],
      ['by a number that is not stored', byNumber('7000'), 0],
      ['by the hash of one with most of them', byHash('block 0'), 1],
      ['by a hash', byHash('block 3000'), 1],
      ['by a hash that is not stored', byHash('block 7000'), 0],
      ['of a transaction', by(findBlocksOf, 100), 1],
      ['before the second', by(findPrevious, GENESIS + 1), 1],
      ['before the first', by(findPrevious, 1), 0],
      ['after the first', by(findFollowing, 1), 1],
      ['after one', by(findFollowing, GENESIS + 30_000), 1],
      ['after the last', by(findFollowing, GENESIS + LATER), 0],
      ['with a page of most of them', pageOf('0'), PAGE + 1],
      ['with the last page of these', pageOf('0', { direction: 'backward' }), PAGE + 1],
      ['with a page from the middle of these', pageOf('0', { after: '17' }), PAGE + 1],
      ['with a page of ten', pageOf('3000'), 10],
    ])('%s', async (_title, read, expected) => {
      const { buffers, rows } = await touchedByReading(gateway.storage, read, plan);
      expect(rows).toBe(expected);
      expect(buffers).toBeLessThan(BUFFERS);
    });
  },
);

test('the measurement can tell: reading all of them touches far more', async () => {
  const everything = { name: '', text: 'SELECT max(block_hash) FROM transaction', parameters: [] };
  expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 10);
});
