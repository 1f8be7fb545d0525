import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { inImportTransaction } from '../../src/ingest/batch.js';
import { loadSample } from '../../src/load-sample.js';
import { migrate } from '../../src/storage/migrate.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { connectTo } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';

const names = ['20261122000500_address_transactions', '20261122000510_vacuum_address_transactions'];
const log = pino({ level: 'silent' });

let database: TestDatabase;
let client: pg.Client;
let storage: Storage;
beforeAll(async () => {
  database = await createDatabase();
  client = await connectTo(database.url);
  storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), log);
  await loadSample(storage, log);
});
afterAll(async () => {
  await storage.close();
  await client.end();
  await database.drop();
});

const histories = async () => {
  const { rows } = await client.query<{ row: string }>(
    'SELECT to_jsonb(h)::text AS row FROM address_transaction h ORDER BY transaction_id, address_id',
  );
  return rows;
};

/** Takes the database back to before the table. */
async function forget(): Promise<void> {
  await client.query('DROP TABLE address_transaction');
  await client.query('DELETE FROM _prisma_migrations WHERE migration_name = ANY($1)', [names]);
}

test('the migration fills the table with what the import would have written', async () => {
  const written = await histories();
  expect(written.length).toBeGreaterThan(1000);
  await forget();
  expect(await migrate({ connectionString: database.url }, { log })).toEqual(names);
  expect(await histories()).toEqual(written);
});

test('it waits for an import that is writing, and readers go on meanwhile', async () => {
  await forget();
  const waits = `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`;
  let migrated: Promise<string[]> | undefined;
  await storage.session((session) =>
    inImportTransaction(session, ['fuji'], async (batch) => {
      migrated = migrate({ connectionString: database.url }, { log });
      while ((await client.query(waits)).rowCount === 0);
      const { rowCount } = await client.query('SELECT 1 FROM transaction LIMIT 1');
      expect(rowCount).toBe(1);
      await batch.query(
        `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, details, tie)
         VALUES ('fuji', 'p', 'late', 'BaseTx', 1, '{}', 1)`,
      );
      await batch.query(
        `INSERT INTO transaction_output SELECT t.id, 0, (SELECT min(utxo_row_id) FROM utxo_owner)
         FROM transaction t WHERE t.tx_hash = 'late'`,
      );
    }),
  );
  expect(await migrated).toEqual(names);
  const late = `SELECT 1 FROM address_transaction h JOIN transaction t ON t.id = h.transaction_id WHERE t.tx_hash = 'late'`;
  expect((await client.query(late)).rowCount).toBeGreaterThan(0);
});
