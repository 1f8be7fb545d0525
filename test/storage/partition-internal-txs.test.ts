import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { migrate } from '../../src/storage/migrate.js';
import { openStorage } from '../../src/storage/open.js';
import { readMigrations } from '../../src/storage/migration-files.js';
import { connectTo } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { frameRow, hashAt } from '../harness/evm-rows.js';
import { importRows } from '../harness/seed.js';

const LAST_BEFORE = '20261122005060_vacuum_l1_validators';
const ATTACH = '20261122030040_internal_tx_partitions';
const log = pino({ level: 'silent' });
const all = new URL('../../prisma/migrations/', import.meta.url);

/** Folders with the migrations up to one. */
let before: string;
let checked: string;
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  before = await upTo((name) => name <= LAST_BEFORE);
  checked = await upTo((name) => name < ATTACH);
});
afterAll(() => Promise.all([before, checked].map((folder) => rm(folder, { recursive: true }))));
beforeEach(async () => {
  database = await createDatabase({ migrated: false });
  client = await connectTo(database.url);
  await migrateTo(before);
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

async function upTo(isMeant: (name: string) => boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-migrations-'));
  for (const name of (await readdir(all)).filter((each) => /^\d/.test(each) && isMeant(each)))
    await cp(new URL(name, all), join(folder, name), { recursive: true });
  return folder;
}

function migrateTo(folder?: string): Promise<string[]> {
  const from = folder === undefined ? {} : { folder: pathToFileURL(`${folder}/`) };
  return migrate({ connectionString: database.url }, { log, ...from });
}

async function insert(chain: string, block: string, tx: number): Promise<void> {
  await client.query(
    `INSERT INTO internal_tx (evm_chain_id, tx_hash, position, tie, block_number, block_timestamp, block_hash, from_address,
       to_address, from_party, to_party, type, value, is_reverted, gas_used, gas_limit)
     VALUES ($1, $2, 0, 0, $3, 1, '', '', '', '{}', '{}', 'CALL', 1, false, 0, 0)`,
    [chain, Buffer.from(hashAt(tx).slice(2), 'hex'), block],
  );
}

const held = async () =>
  (await client.query('SELECT id, evm_chain_id, tx_hash, block_number FROM internal_tx ORDER BY id')).rows;
const bounds = async () =>
  (
    await client.query<{ name: string; bound: string }>(
      `SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bound FROM pg_class WHERE relispartition AND relkind = 'r'`,
    )
  ).rows;

test('the table that was there becomes the first partition: no row is rewritten or read, and ids go on', async () => {
  await insert('7', '12', 1);
  await insert('9', '9999999', 2);
  await insert('9', '8', 3);
  const rows = await held();
  await migrateTo(checked);
  const { rows: file } = await client.query("SELECT pg_relation_filenode('internal_tx') AS node");

  const notices: string[] = [];
  client.on('notice', ({ message }) => notices.push(message ?? ''));
  const attach = (await readMigrations()).find(({ name }) => name === ATTACH);
  await client.query(`BEGIN; SET LOCAL client_min_messages = debug1; ${attach?.sql}; ROLLBACK`);
  expect(notices).toContain(
    'partition constraint for table "internal_tx_first" is implied by existing constraints',
  );
  expect(notices.filter((text) => /verifying table|building index .*first/.test(text))).toEqual([]);

  await migrateTo();
  expect(await held()).toEqual(rows);
  expect((await client.query("SELECT pg_relation_filenode('internal_tx_first') AS node")).rows).toEqual(file);
  expect(await bounds()).toEqual([
    { name: 'internal_tx_first', bound: "FOR VALUES FROM ('7', MINVALUE) TO ('9', '12000000')" },
  ]);
  const { rows: indexes } = await client.query(
    `SELECT relname FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = 'internal_tx_first'::regclass ORDER BY 1`,
  );
  expect(indexes.map(({ relname }: { relname: string }) => relname)).toEqual(
    ['block_idx', 'from_idx', 'id_idx', 'pkey', 'to_idx'].map((name) => `internal_tx_first_${name}`),
  );
  const storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), log);
  try {
    await importRows(storage, 'evm.9.internal-transactions', [frameRow({ blockNumber: '12000000' })]);
    await importRows(storage, 'evm.8.internal-transactions', [frameRow({ blockNumber: '77' })]);
  } finally {
    await storage.close();
  }
  expect((await held()).map(({ id }: { id: string }) => id)).toEqual(['1', '2', '3', '4', '5']);
  expect((await bounds()).map(({ name }) => name).sort()).toEqual([
    'internal_tx_9_12000000',
    'internal_tx_first',
  ]);
});

test('a table without rows leaves no partition', async () => {
  await migrateTo();
  expect(await bounds()).toEqual([]);
});

test('a block at the end of all blocks has a partition too', async () => {
  await insert('9', '9223372036854775806', 1);
  await migrateTo();
  expect(await held()).toHaveLength(1);
  expect(await bounds()).toEqual([
    { name: 'internal_tx_first', bound: "FOR VALUES FROM ('9', MINVALUE) TO ('9', '9223372036854775807')" },
  ]);
});
