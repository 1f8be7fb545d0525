import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';

import { loadSample } from '../../src/load-sample.js';
import { migrate } from '../../src/storage/migrate.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { connectTo } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';

const names = ['20261122020000_address_days', '20261122020010_vacuum_address_days'];
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

const days = async () => {
  const { rows } = await client.query<{ row: string }>(
    'SELECT to_jsonb(d)::text AS row FROM address_day d ORDER BY address_id, asset_row_id, day',
  );
  return rows;
};

/** Takes the database back to before the table. */
async function forget(): Promise<void> {
  await client.query('DROP TABLE address_day');
  await client.query('DELETE FROM _prisma_migrations WHERE migration_name = ANY($1)', [names]);
}

test('the migration fills the table with what the import would have written', async () => {
  const written = await days();
  expect(written.length).toBeGreaterThan(1000);
  await forget();
  expect(await migrate({ connectionString: database.url }, { log })).toEqual(names);
  expect(await days()).toEqual(written);
});
