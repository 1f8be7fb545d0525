import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import { formatAddress } from '../../../src/avalanche/address.js';
import type { ListPage } from '../../../src/lists/read.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import {
  transactionListArguments,
  type TransactionQuery,
} from '../../../src/resources/transaction/arguments.js';
import { historyList } from '../../../src/resources/history/list.js';
import { findEffects } from '../../../src/resources/history/store.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading, type PlanKind } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { withLateIndexes } from '../../harness/late-indexes.js';

const TRANSACTIONS = 500_000;
const OUTPUTS = 50_000;
/** Addresses that have no transaction. */
const ELSE = 20_000;
const PAGE = 10;
/** Blocks of 8 kB that a page may read; the table and its indexes have over 10,000. */
const BUFFERS = 200;

const hot = formatAddress('mainnet', new Uint8Array(20).fill(1));
const others = Array.from({ length: 63 }, (_, index) => `avax1cold${index}`);

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  // Ten a second in two blocks; of each hundred one on the C-chain and nine on the X-chain; some of a rare
  // type.
  await withLateIndexes(pool, 'transaction', () =>
    pool.query(
      `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, block_number, details, tie)
     SELECT 'mainnet', (CASE WHEN n % 100 = 0 THEN 'c' WHEN n % 10 = 0 THEN 'x' ELSE 'p' END)::primary_chain,
       'transaction ' || n, CASE WHEN n % 99999 = 1 THEN 'ImportTx' ELSE 'BaseTx' END,
       1600000000 + n / 10, n / 5, '{"value":[]}', (n * 48271::bigint) % 2147483647
     FROM generate_series(1, ${TRANSACTIONS}) n`,
    ),
  );
  await pool.query(`INSERT INTO address (network, address) SELECT 'mainnet', unnest($1::text[])`, [
    [hot, ...others],
  ]);
  await pool.query(
    `INSERT INTO address (network, address) SELECT 'mainnet', 'avax1else' || n FROM generate_series(1, ${ELSE}) n`,
  );
  // Every one is of the hot address, and some also of one of the others.
  await withLateIndexes(pool, 'address_transaction', () =>
    pool.query(
      `INSERT INTO address_transaction
     SELECT t.id, a.id, t.chain, t.tx_type, t.block_timestamp, t.tie
     FROM transaction t JOIN address a ON a.address = $1 OR (a.address LIKE 'avax1cold%' AND t.id % 640 = a.id % 64)`,
      [hot],
    ),
  );
  await pool.query(
    `WITH asset AS (
       INSERT INTO asset (network, asset_id, name, symbol, denomination, type)
       VALUES ('mainnet', 'asset', '', '', 0, 'secp256k1') RETURNING id)
     INSERT INTO utxo (network, utxo_id, tx_hash, output_index, created_on, consumed_on, asset_row_id, amount,
       addresses, utxo_type, tie)
     SELECT 'mainnet', 'output ' || n, 'transaction ' || n, 0, 'p', 'p', asset.id, n, ARRAY[$1], 'TRANSFER', n
     FROM generate_series(1, ${OUTPUTS}) n, asset`,
    [hot],
  );
  // The newest transactions made an output each, and consumed the one before.
  for (const [side, before] of [
    ['output', 0],
    ['input', 1],
  ] as const)
    await pool.query(
      `INSERT INTO transaction_${side}
       SELECT t.id, 0, u.id FROM utxo u JOIN transaction t ON t.id = u.id + ${TRANSACTIONS - OUTPUTS + before}`,
    );
  // No vacuum: while others read, it may not have come to these rows yet, which changes the planner's mind.
  await pool.query(
    'ANALYZE transaction, address_transaction, address, utxo, transaction_output, transaction_input',
  );
}, 900_000);
afterAll(() => gateway?.close());

const all = readArguments(transactionListArguments, { network: 'mainnet', addresses: [hot] });
const pageAfter = (after: string | null): PageRequest => ({
  direction: 'forward',
  limit: PAGE,
  after,
  before: null,
});

function touchedByPage(query: Partial<TransactionQuery>, after: string | null, plan: PlanKind) {
  const read = (storage: Storage) => historyList.read(storage, { ...all, ...query }, pageAfter(after));
  return touchedByReading(gateway.storage, read, plan);
}

/** Rows were added oldest first: the row id after which the ten-thousandth page begins. */
const FAR = String(TRANSACTIONS - 9_999 * PAGE);

describe.each(['generic', 'custom'] as const)(
  `a page of ${TRANSACTIONS} transactions of an address touches a bounded number of blocks (%s plan)`,
  (plan) => {
    test.each<[string, Partial<TransactionQuery>, rows?: number]>([
      ['on all chains', {}],
      ['on one chain', { blockchainId: 'x' }],
      ['of a usual type', { txType: 'BaseTx' }],
      ['of several types', { txTypes: ['BaseTx', 'ImportTx', 'ExportTx'] }],
      ['of a rare type', { txType: 'ImportTx' }, 6],
      ['of a rare type on a chain that has none', { txType: 'ImportTx', blockchainId: 'x' }, 0],
      ['of a type that the address has none of', { txType: 'ExportTx' }, 0],
      ['until a moment', { until: '1600010000' }],
      ['in an interval', { since: '1600010000', until: '1600010001' }, 10],
      ['of blocks', { blockchainId: 'p', startBlock: '50000', endBlock: '60000' }],
      ['of one block', { blockchainId: 'p', startBlock: '50001', endBlock: '50002' }, 5],
      [
        'of a usual type, of blocks in an interval',
        { blockchainId: 'p', txTypes: ['BaseTx'], startBlock: '50000', until: '1600027000' },
      ],
      ['of a rare type in an interval', { txType: 'ImportTx', since: '1600005000', until: '1600015000' }, 1],
      ['and of 63 others', { addresses: [hot, ...others] }],
      ['of an address that is not known', { addresses: ['avax1nobody'] }, 0],
    ])('%s', async (_title, query, expected = PAGE + 1) => {
      const { buffers, rows } = await touchedByPage(query, null, plan);
      expect(rows).toBe(expected);
      // Each address and chain costs a descent of the index.
      expect(buffers).toBeLessThan(BUFFERS + (query.addresses?.length ?? 0) * 40);
    });

    test('and page 10,000 touches as many as page 1', async () => {
      const ofBlocks = { blockchainId: 'p', startBlock: '1', endBlock: '999999999' } as const;
      for (const query of [{}, { blockchainId: 'p' }, { txType: 'BaseTx' }, ofBlocks] as const) {
        const near = await touchedByPage(query, null, plan);
        const far = await touchedByPage(query, FAR, plan);
        expect([near.rows, far.rows]).toEqual([PAGE + 1, PAGE + 1]);
        expect(near.buffers).toBeLessThan(BUFFERS);
        expect(far.indexes).toContain('address_network_address_key');
        expect(far.buffers).toBeLessThan(near.buffers * 1.5);
      }
    });

    test('what each transaction of the largest page did touches its own outputs alone', async () => {
      const keys = Array.from({ length: 100 }, (_, index) => ({
        transactionId: String(TRANSACTIONS - index),
        addresses: [hot],
      }));
      const read = (storage: Storage) => findEffects(storage, keys);
      const { buffers, rows } = await touchedByReading(gateway.storage, read, plan);
      expect(rows).toBe(100);
      expect(buffers).toBeLessThan(100 * 40);
    });

    test('of each of ten addresses in one statement', async () => {
      const pages = [hot, ...others.slice(0, 9)].map((address) => ({
        query: { ...all, addresses: [address] },
        request: pageAfter(null),
      })) as [ListPage<TransactionQuery>, ...ListPage<TransactionQuery>[]];
      const read = (storage: Storage) => historyList.readBatch(storage, pages);
      const { buffers, rows } = await touchedByReading(gateway.storage, read, plan);
      expect(rows).toBe(10 * (PAGE + 1));
      expect(buffers).toBeLessThan(BUFFERS * 10);
    });
  },
);

test('the measurement can tell: reading the whole history touches far more', async () => {
  const everything = { name: '', text: 'SELECT sum(time) FROM address_transaction', parameters: [] };
  expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 10);
});
