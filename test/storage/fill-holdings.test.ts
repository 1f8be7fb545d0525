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

const names = ['20261122010000_holdings', '20261122010010_vacuum_holdings'];
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

/** Every output in its holding, whose row ids are others each time. */
const holdings = async () => {
  const { rows } = await client.query<{ row: string }>(
    `SELECT (to_jsonb(h) - 'id' || jsonb_build_object('member', to_jsonb(m) - 'holding_id'))::text AS row
     FROM address_holding h FULL JOIN holding_output m ON m.holding_id = h.id ORDER BY 1`,
  );
  return rows;
};

/** Takes the database back to before the tables. */
async function forget(): Promise<void> {
  await client.query('DROP TABLE address_holding, holding_output; DROP TYPE holding_kind');
  await client.query('DELETE FROM _prisma_migrations WHERE migration_name = ANY($1)', [names]);
}

test('the migration fills the tables with what the import would have written', async () => {
  const written = await holdings();
  expect(written.length).toBeGreaterThan(500);
  await forget();
  expect(await migrate({ connectionString: database.url }, { log })).toEqual(names);
  expect(await holdings()).toEqual(written);
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
      expect((await client.query('SELECT 1 FROM utxo LIMIT 1')).rowCount).toBe(1);
      await batch.query('UPDATE utxo_owner SET amount = 123456789 WHERE NOT spent');
    }),
  );
  expect(await migrated).toEqual(names);
  const { rows } = await client.query('SELECT DISTINCT amount FROM holding_output');
  expect(rows).toEqual([{ amount: '123456789' }]);
});
