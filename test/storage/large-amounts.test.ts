import { afterAll, beforeAll, expect, test } from 'vitest';
import { pino } from 'pino';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { migrate } from '../../src/storage/migrate.js';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { importRows } from '../harness/seed.js';

const LARGEST = (2n ** 256n - 1n).toString();
const { x } = blockchainIds.mainnet;
const owner = addressOf('anna');
const asset = { assetId: idOf('shares'), name: 'Shares', symbol: 'SHR', denomination: 0, type: 'secp256k1' };
const row = (name: string, amount: string) =>
  utxoRow(name, {
    asset: { ...asset, amount },
    assetId: undefined,
    amount: undefined,
    createdOnChainId: x,
    consumedOnChainId: x,
  });

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

test('an amount up to 2^256-1 is imported, listed, sorted, filtered and summed exactly', async () => {
  await importRows(gateway.storage, 'mainnet.x-chain.transactions', [
    transactionRow('issue', {
      txType: 'OperationTx',
      emittedUtxos: [row('most', LARGEST), row('less', '7'), row('most again', LARGEST)],
      value: [{ ...asset, amount: LARGEST }],
    }),
  ]);
  const chain = '/v1/networks/mainnet/blockchains/x-chain';
  const amounts = async (query: string) => {
    const { body } = await gateway.get(`${chain}/utxos?addresses=${owner}&sortBy=amount&${query}`);
    return (body as { utxos: { amount: string; asset: { amount: string } }[] }).utxos.flatMap((utxo) => [
      utxo.amount,
      utxo.asset.amount,
    ]);
  };
  const twice = [LARGEST, LARGEST];
  expect(await amounts('sortOrder=asc')).toEqual(['7', '7', ...twice, ...twice]);
  expect(await amounts(`minUtxoAmount=${LARGEST}`)).toEqual([...twice, ...twice]);
  expect(await amounts(`minUtxoAmount=${2n ** 256n}`)).toEqual([]);
  const { body } = await gateway.get(`${chain}/transactions/${idOf('issue')}`);
  expect(body.value).toEqual([{ ...asset, amount: LARGEST }]);
  const { data } = await gateway.graphql(
    `{ address(network: mainnet, address: "${owner}") { balances(first: 1) { nodes { unspent received } } } }`,
  );
  const sum = (2n * BigInt(LARGEST) + 7n).toString();
  expect(data).toEqual({ address: { balances: { nodes: [{ unspent: sum, received: sum }] } } });
});

test('the migration rewrites no table and no index under its locks, and leaves statistics of the columns', async () => {
  const pool = poolOf(gateway.storage);
  await pool.query('TRUNCATE utxo_owner, address_balance, transaction_output, transaction, utxo CASCADE');
  await importRows(
    gateway.storage,
    'mainnet.x-chain.utxos',
    [1, 2, 3].map((each) => row(`small ${each}`, `${each}`)),
  );
  await pool.query(`DELETE FROM _prisma_migrations WHERE migration_name LIKE '202611220003%'`);
  // A later migration's, of some of the rows: it was not there to be made again.
  await pool.query('DROP INDEX address_balance_holder_idx');
  await pool.query('ALTER TABLE utxo ALTER amount TYPE numeric(20, 0)');
  await pool.query('ALTER TABLE utxo_owner ALTER amount TYPE numeric(20, 0)');
  await pool.query(`ALTER TABLE address_balance ALTER unspent TYPE numeric(40, 0), ALTER received TYPE numeric(40, 0),
    ALTER created_unspent TYPE numeric(40, 0), ALTER created_received TYPE numeric(40, 0)`);
  const files = async () => {
    const { rows } = await pool.query<{ relation: string; file: string }>(
      `SELECT oid::regclass::text AS relation, pg_relation_filenode(oid)::text AS file FROM pg_class
       WHERE oid IN (SELECT unnest(ARRAY[indexrelid, indrelid]) FROM pg_index
         WHERE indrelid IN ('utxo'::regclass, 'utxo_owner'::regclass, 'address_balance'::regclass)) ORDER BY 1`,
    );
    return rows;
  };
  const before = await files();
  expect(before.length).toBeGreaterThan(8);
  const { DATABASE_URL: connectionString, LOG_LEVEL: level } = gateway.services.config;
  const applied = await migrate({ connectionString }, { log: pino({ level }) });
  expect(applied).toContain('20261122000300_amounts_of_256_bits');
  const after = await files();
  // Partial indexes, which are built again beside readers and writers.
  const partial = ['utxo_owner_asset_amount_idx', 'utxo_owner_asset_time_idx'];
  const lasting = (relations: typeof before) =>
    relations.filter(({ relation }) => !partial.includes(relation));
  expect(lasting(after)).toEqual(lasting(before));
  expect(after.map(({ relation }) => relation)).toEqual(before.map(({ relation }) => relation));
  const { rows } = await pool.query(
    `SELECT tablename FROM pg_stats WHERE attname = 'amount' AND tablename IN ('utxo', 'utxo_owner') ORDER BY 1`,
  );
  expect(rows).toEqual([{ tablename: 'utxo' }, { tablename: 'utxo_owner' }]);
});
