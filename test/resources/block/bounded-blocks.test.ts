import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageRequest } from '../../../src/paging/page-request.js';
import type { BlockListQuery } from '../../../src/resources/block/arguments.js';
import {
  blockList,
  blockTransactionList,
  findBlocks,
  findBlocksByHash,
  findBlocksOf,
  findChildren,
  findFollowing,
  findParents,
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
  await withLateIndexes(pool, 'block', () =>
    pool.query(
      `INSERT INTO block (network, chain, number, timestamp, hash, proposer_node_id)
       SELECT 'fuji', 'p', n, 1600000000 + n, md5('block ' || n), 'node ' || n % 3 FROM generate_series(0, ${LATER}) n`,
    ),
  );
  await pool.query('VACUUM (ANALYZE) transaction, block');
});
afterAll(() => gateway?.close());

const position = { network: 'fuji', chain: 'p' } as const;
const byNumber = (blockNumber: string) => (storage: Storage) =>
  findBlocks(storage, [{ ...position, blockNumber }]);
const byHash = (named: string) => (storage: Storage) =>
  findBlocksByHash(storage, [{ ...position, hash: createHash('md5').update(named).digest('hex') }]);
/** By a transaction of the block. */
const byTransaction = (transactionId: number) => (storage: Storage) =>
  findBlocksOf(storage, [{ transactionId: String(transactionId) }]);
const near = (find: typeof findBlocks, blockNumber: number) => (storage: Storage) =>
  find(storage, [{ ...position, blockNumber: String(blockNumber) }]);
const pageOf =
  (number: string, page: Partial<PageRequest> = {}) =>
  (storage: Storage) => {
    const request: PageRequest = { direction: 'forward', limit: PAGE, after: null, before: null, ...page };
    return blockTransactionList.readBatch(storage, [{ query: { ...position, number }, request }]);
  };

const listOf =
  (filters: Partial<BlockListQuery> = {}, page: Partial<PageRequest> = {}) =>
  (storage: Storage) => {
    const none = { proposer: null, startBlock: null, endBlock: null, since: null, until: null };
    const request: PageRequest = { direction: 'forward', limit: PAGE, after: null, before: null, ...page };
    return blockList.read(storage, { network: 'fuji', blockchainId: 'p', ...none, ...filters }, request);
  };
const middle = String(LATER / 2);

describe.each(['generic', 'custom'] as const)(
  `a block of ${GENESIS + LATER} transactions touches a bounded number of blocks of the database (%s plan)`,
  (plan) => {
    test.each<[string, (storage: Storage) => Promise<unknown>, rows: number]>([
      ['by the number of one with most of them', byNumber('0'), 1],
      ['by a number', byNumber('3000'), 1],
      ['by a number that is not stored', byNumber(String(LATER + 1)), 0],
      ['by the hash of one with most of them', byHash('block 0'), 1],
      ['by a hash', byHash('block 3000'), 1],
      ['by a hash that is not stored', byHash(`block ${LATER + 1}`), 0],
      ['of a transaction', byTransaction(100), 1],
      ['right before one', near(findParents, 30_000), 1],
      ['right before the first', near(findParents, 0), 0],
      ['right after one', near(findChildren, 30_000), 1],
      ['before the second', near(findPrevious, 1), 1],
      ['before the first', near(findPrevious, 0), 0],
      ['after the first', near(findFollowing, 0), 1],
      ['after one', near(findFollowing, 30_000), 1],
      ['after the last', near(findFollowing, LATER), 0],
      ['on the first page of its chain', listOf(), PAGE + 1],
      ['on the last page of its chain', listOf({}, { direction: 'backward' }), PAGE + 1],
      ['on a page from the middle of its chain', listOf({}, { after: middle }), PAGE + 1],
      ['from the middle on, beyond a token', listOf({ endBlock: '59000' }, { after: middle }), PAGE + 1],
      ['above a number, before a token', listOf({ startBlock: '9' }, { before: middle }), PAGE + 1],
      ['of a proposer', listOf({ proposer: 'node 1' }), PAGE + 1],
      ['of a proposer, from the middle', listOf({ proposer: 'node 1' }, { after: middle }), PAGE + 1],
      ['of a proposer who made none', listOf({ proposer: 'node 3' }), 0],
      ['of a proposer below the first one', listOf({ proposer: 'node 1', endBlock: '1' }), 0],
      ['beyond the newest', listOf({ startBlock: String(LATER + 1) }), 0],
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
