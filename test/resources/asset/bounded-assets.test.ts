import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import { nativeAssetIds } from '../../../src/avalanche/networks.js';
import type { List } from '../../../src/lists/read.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import { assetTransactionArguments, holderArguments } from '../../../src/resources/asset/arguments.js';
import { assetTransactionList } from '../../../src/resources/asset/transaction-list.js';
import { assetList, holderList } from '../../../src/resources/asset/list.js';
import { assetUtxoArguments } from '../../../src/resources/utxo/arguments.js';
import { assetUtxoList } from '../../../src/resources/utxo/asset-list.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { generateLedger } from '../../harness/generated-ledger.js';

const OUTPUTS = 150_000;
const PAGE = 10;
/** Blocks of 8 kB that a page may read, of thousands. */
const BUFFERS = 150;
const rare = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK';
const avax = nativeAssetIds.mainnet;
const common = '2dfKt87wi2RdJYzAa8aZcuZZbdZZk4NcU2gzChhVPck6vs7Cb8';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  await generateLedger(pool, { outputs: OUTPUTS, hot: [20_000], rareEvery: 20_001 });
  await pool.query(
    `INSERT INTO asset (network, asset_id, name, symbol, denomination, type)
     SELECT CASE WHEN n % 100 = 0 THEN 'mainnet' ELSE 'fuji' END::network, md5(n::text), repeat('Asset ', 20), '', 0, 'nft'::asset_type
     FROM generate_series(1, 50000) n
     UNION ALL SELECT 'mainnet', '${common}', '', '', 0, 'nft'`,
  );
  // As many transactions as outputs, each with one.
  await pool.query(
    `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, details, tie)
     SELECT 'mainnet', 'x', 'transaction ' || n, CASE WHEN n % 50000 = 0 THEN 'ImportTx' ELSE 'BaseTx' END, 1600000000 + n, '{}', n
     FROM generate_series(1, ${OUTPUTS}) n`,
  );
  await pool.query(
    'INSERT INTO transaction_output SELECT t.id, 0, t.id FROM transaction t JOIN utxo u ON u.id = t.id',
  );
  // Half of them have another asset too.
  await pool.query(
    `INSERT INTO asset_transaction
     SELECT t.id, a.id, t.tx_type, t.block_timestamp, t.tie FROM asset a JOIN transaction t ON t.id % 2 = 0
     WHERE a.asset_id = $1
     UNION ALL SELECT t.id, a.id, t.tx_type, t.block_timestamp, t.tie FROM asset a JOIN utxo u ON u.asset_row_id = a.id
     JOIN transaction t ON t.id = u.id WHERE a.asset_id = $2`,
    [common, rare],
  );
  await pool.query('VACUUM (ANALYZE) asset, transaction, transaction_output, asset_transaction');
}, 900_000);
afterAll(() => gateway?.close());

async function expectBounded<Query>(
  list: List<Query, unknown>,
  query: Query,
  after: string | null,
  expected: number,
): Promise<void> {
  const request: PageRequest = { direction: 'forward', limit: PAGE, after, before: null };
  for (const plan of ['generic', 'custom'] as const) {
    const { rows, buffers } = await touchedByReading(
      gateway.storage,
      (storage) => list.readBatch(storage, [{ query, request }]),
      plan,
    );
    expect(rows, plan).toBe(expected);
    expect(buffers, plan).toBeLessThan(BUFFERS);
  }
}

describe('a page touches a bounded number of blocks', () => {
  test.each<[title: string, assetId: string, chain: 'p' | 'x', isFar: boolean, expected: number]>([
    ['of 26,000 holders', avax, 'x', false, PAGE + 1],
    ['far from the richest', avax, 'x', true, PAGE + 1],
    ['where nobody holds any', avax, 'p', false, 0],
    ['of a rare asset', rare, 'x', false, 4],
    ['of an asset that is not stored', 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5X', 'x', false, 0],
  ])('%s', async (_title, assetId, chain, isFar, expected) => {
    const query = { network: 'mainnet', assetId, blockchainId: chain } as const;
    await expectBounded(holderList, query, isFar ? await middleHolder() : null, expected);
  });

  test.each<[title: string, assetId: string, more: object, expected: number]>([
    ['of the outputs of nearly all', avax, {}, PAGE + 1],
    ['of those, by amount', avax, { sortBy: 'amount' }, PAGE + 1],
    ['of the outputs of a rare asset', rare, { includeSpent: true }, 8],
  ])('%s', async (_title, assetId, more, expected) => {
    const values = readArguments(assetUtxoArguments, { network: 'mainnet', ...more }, { assetId });
    await expectBounded(assetUtxoList, values, null, expected);
  });

  test.each<[title: string, assetId: string, more: object, after: string | null, expected: number]>([
    ['of the transactions of nearly all', avax, {}, null, PAGE + 1],
    ['of these, far from the newest', avax, {}, String(OUTPUTS / 2), PAGE + 1],
    ['of these, of a type that few have', avax, { txTypes: ['ImportTx'] }, null, 3],
    ['of these, of a type that none has', avax, { txTypes: ['ExportTx'] }, null, 0],
    ['of the transactions of another asset that half of them have', common, {}, null, PAGE + 1],
    ['of these, far from the newest', common, {}, String(OUTPUTS / 2), PAGE + 1],
    ['of these, of a type that few have', common, { txTypes: ['ImportTx'] }, null, 3],
    ['of these, within times', common, { since: 1600000010, until: 1600000020 }, null, 5],
    ['of the transactions of a rare asset', rare, {}, null, 8],
  ])('%s', async (_title, assetId, more, after, expected) => {
    const query = readArguments(assetTransactionArguments, { network: 'mainnet', assetId, ...more });
    await expectBounded(assetTransactionList, query, after, expected);
  });

  test.each([
    ['of all assets', null],
    ['far from the first page', '25002'],
  ])('%s', async (_title, after) => {
    await expectBounded(assetList, { network: 'mainnet' }, after, PAGE + 1);
  });

  test('the measurement can tell: reading everything touches far more', async () => {
    for (const table of ['asset', 'address_balance', 'utxo_owner']) {
      const everything = { name: '', text: `SELECT count(${table}) FROM ${table}`, parameters: [] };
      expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 2);
    }
  });
});

test('the default is the holders on the X-chain', () => {
  const query = readArguments(holderArguments, { network: 'mainnet', assetId: rare });
  expect(query.blockchainId).toBe('x');
});

async function middleHolder(): Promise<string> {
  const { rows } = await poolOf(gateway.storage).query<{ id: string }>(
    'SELECT address_id AS id FROM address_balance WHERE asset_row_id = 1 ORDER BY unspent DESC OFFSET 10000 LIMIT 1',
  );
  return rows[0]?.id ?? '';
}
