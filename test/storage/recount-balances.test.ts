import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { loadConfig } from '../../src/config.js';
import { migrate } from '../../src/storage/migrate.js';
import { openStorage } from '../../src/storage/open.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { addressOf, utxoRow } from '../harness/ledger-rows.js';
import { importRows } from '../harness/seed.js';
import { connectTo } from '../harness/connections.js';

const name = '20261122000200_recount_created_balances';
const log = pino({ level: 'silent' });

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  client = await connectTo(database.url);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const { p, x } = blockchainIds.mainnet;
const balances = async () => {
  const { rows } = await client.query<{ row: string; version: string }>(
    `SELECT to_jsonb(b)::text AS row, xmin::text AS version FROM address_balance b ORDER BY address_id, chain`,
  );
  return rows;
};

/** Takes the database back to the migration before. */
async function forget(): Promise<void> {
  await client.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [name]);
}

test('the migration counts wrong balances again, and writes none that is right', async () => {
  const storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), log);
  const owners = ['anna', 'ben', 'cleo'].map((owner) => addressOf(owner));
  const rows = owners.flatMap((owner, index) => [
    utxoRow(`there ${index}`, { addresses: [owner], createdOnChainId: p, consumedOnChainId: x, amount: '7' }),
    utxoRow(`back ${index}`, { addresses: [owner], createdOnChainId: x, consumedOnChainId: p, amount: '5' }),
    utxoRow(`spent ${index}`, { addresses: [owner], amount: '3', consumingTxHash: utxoRow('taker').utxoId }),
  ]);
  await importRows(storage, 'mainnet.p-chain.utxos', rows);
  await storage.close();
  const right = await balances();
  expect(right).toHaveLength(6);

  // What an import of rows that swap chains left: the amounts of before.
  await client.query(
    `UPDATE address_balance b SET created_unspent = CASE chain WHEN 'p' THEN 5 ELSE 7 END,
       created_received = CASE chain WHEN 'p' THEN 8 ELSE 7 END
     FROM address a WHERE a.id = b.address_id AND a.address = $1`,
    [owners[1]],
  );
  await forget();
  const wrong = await balances();
  expect(wrong.map(({ row }) => row)).not.toEqual(right.map(({ row }) => row));

  expect(await migrate({ connectionString: database.url }, { log })).toEqual([name]);
  const mended = await balances();
  expect(mended.map(({ row }) => row)).toEqual(right.map(({ row }) => row));
  const untouched = mended.filter(({ version }, index) => version === right[index]?.version);
  expect(untouched).toHaveLength(4);
});

test('readers go on while it waits for an import that is writing', async () => {
  await forget();
  const importer = await connectTo(database.url);
  await importer.query('BEGIN; UPDATE address_balance SET outputs = outputs');
  const migrated = migrate({ connectionString: database.url }, { log });
  const waits = `SELECT 1 FROM pg_locks WHERE relation = 'address_balance'::regclass AND NOT granted`;
  while ((await client.query(waits)).rowCount === 0);
  expect(await balances()).toHaveLength(6);
  await importer.query('COMMIT');
  await importer.end();
  expect(await migrated).toEqual([name]);
});
