import { afterAll, beforeAll, expect, test } from 'vitest';
import type pg from 'pg';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { inImportTransaction } from '../../src/ingest/batch.js';
import { migrate } from '../../src/storage/migrate.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { connectTo } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';

const name = '20261122001000_output_assets_unchecked';
const log = pino({ level: 'silent' });

let database: TestDatabase;
let client: pg.Client;
let storage: Storage;
beforeAll(async () => {
  database = await createDatabase();
  client = await connectTo(database.url);
  storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), log);
});
afterAll(async () => {
  await storage.close();
  await client.end();
  await database.drop();
});

test('the migration that ends the check of assets and an import that is writing do not wait for each other', async () => {
  await client.query(
    'ALTER TABLE utxo ADD CONSTRAINT utxo_asset_row_id_fkey FOREIGN KEY (asset_row_id) REFERENCES asset (id)',
  );
  await client.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [name]);
  const waits = `SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE a.datname = current_database() AND NOT l.granted`;
  let migrated: Promise<string[]> | undefined;
  await storage.session((session) =>
    inImportTransaction(session, ['mainnet'], async (batch) => {
      await batch.query('SELECT id FROM asset');
      migrated = migrate({ connectionString: database.url }, { log });
      while ((await client.query(waits)).rowCount === 0);
      // As a batch does once it knows the assets.
      await batch.query('LOCK TABLE utxo IN ROW EXCLUSIVE MODE');
    }),
  );
  expect(await migrated).toEqual([name]);
  const { rows } = await client.query(
    `SELECT conname FROM pg_constraint WHERE conrelid = 'utxo'::regclass AND contype = 'f'`,
  );
  expect(rows).toEqual([]);
});
