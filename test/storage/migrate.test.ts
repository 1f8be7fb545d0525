import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkMigrated, migrate } from '../../src/storage/migrate.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { connectTo } from '../harness/connections.js';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let client: pg.Client;
let path: string;

beforeEach(async () => {
  database = await createDatabase({ migrated: false });
  client = await connectTo(database.url);
  path = await mkdtemp(join(tmpdir(), 'moraine-migrations-'));
});

afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(path, { recursive: true });
});

async function add(name: string, sql: string): Promise<void> {
  await mkdir(join(path, name), { recursive: true });
  await writeFile(join(path, name, 'migration.sql'), sql);
}

function run(options: { lockTimeoutMs?: number; attempts?: number } = {}): Promise<string[]> {
  return migrate({ connectionString: database.url }, { log, folder: pathToFileURL(`${path}/`), ...options });
}

function check(): Promise<void> {
  return checkMigrated({ connectionString: database.url }, pathToFileURL(`${path}/`));
}

const makeTable = 'CREATE TABLE thing (id int PRIMARY KEY);';
const makeIndex = '-- no transaction\nCREATE INDEX CONCURRENTLY thing_id ON thing (id);';

describe('migrating', () => {
  test('applies what is missing in order of name, once', async () => {
    await add('20260102000000_second', 'ALTER TABLE thing ADD COLUMN name text;');
    await add('20260101000000_first', makeTable);
    expect(await run()).toEqual(['20260101000000_first', '20260102000000_second']);
    expect(await run()).toEqual([]);
    await add('20260103000000_third', 'ALTER TABLE thing ADD COLUMN size int;');
    expect(await run()).toEqual(['20260103000000_third']);
  });

  test('records each file as Prisma does', async () => {
    await add('20260101000000_first', makeTable);
    await run();
    const { rows } = await client.query<Record<string, unknown>>('SELECT * FROM _prisma_migrations');
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        checksum: createHash('sha256').update(makeTable).digest('hex'),
        finished_at: expect.any(Date) as Date,
        migration_name: '20260101000000_first',
        logs: null,
        rolled_back_at: null,
        started_at: expect.any(Date) as Date,
        applied_steps_count: 1,
      },
    ]);
  });

  test('takes a file whose line ends a checkout changed for the same file', async () => {
    await add('20260101000000_first', `${makeTable}\n-- end\n`);
    await run();
    await add('20260101000000_first', `${makeTable}\r\n-- end\r\n`);
    expect(await run()).toEqual([]);
  });

  test('happens once when processes start together', async () => {
    await add('20260101000000_first', `${makeTable} SELECT pg_sleep(0.2);`);
    await add('20260102000000_index', makeIndex);
    const applied = await Promise.all([run(), run(), run(), run()]);
    expect(applied.flat()).toHaveLength(2);
  });

  test('takes its time, whatever time limit the role has for statements', async () => {
    const { username, pathname } = new URL(database.url);
    await client.query(
      `ALTER ROLE "${username}" IN DATABASE "${pathname.slice(1)}" SET statement_timeout = '100ms'`,
    );
    await add('20260101000000_first', `${makeTable} SELECT pg_sleep(0.5);`);
    expect(await run()).toEqual(['20260101000000_first']);
  });

  test('leaves nothing of a file that fails, and says which it was', async () => {
    await add('20260101000000_first', `${makeTable} SELECT 1/0;`);
    await expect(run()).rejects.toThrow(/20260101000000_first failed: division by zero/);
    const { rows } = await client.query(`SELECT to_regclass('thing') AS found`);
    expect(rows).toEqual([{ found: null }]);
    await add('20260101000000_first', makeTable);
    expect(await run()).toEqual(['20260101000000_first']);
  });

  test('refuses a file that was changed after it had been applied', async () => {
    await add('20260101000000_first', makeTable);
    await run();
    await add('20260101000000_first', `${makeTable} -- changed`);
    await expect(run()).rejects.toThrow(/20260101000000_first was changed/);
    await expect(check()).rejects.toThrow(/20260101000000_first was changed/);
  });

  test('refuses a database that is newer than the code', async () => {
    await add('20260101000000_first', makeTable);
    await add('20260102000000_second', 'SELECT 1;');
    await run();
    await rm(join(path, '20260102000000_second'), { recursive: true });
    await expect(run()).rejects.toThrow(/newer than this version.*20260102000000_second/);
    await expect(check()).rejects.toThrow(/newer than this version/);
  });
});

describe('a table in use', () => {
  test('is waited for in short steps, so that readers get by', async () => {
    await add('20260101000000_first', makeTable);
    await run();
    await client.query('BEGIN; SELECT * FROM thing');
    await add('20260102000000_second', 'ALTER TABLE thing ADD COLUMN name text;');
    const migrated = run({ lockTimeoutMs: 50, attempts: 1000 });
    const reader = await connectTo(database.url);
    for (let round = 0; round < 10; round += 1) await reader.query('SELECT * FROM thing');
    await reader.end();
    await client.query('COMMIT');
    expect(await migrated).toEqual(['20260102000000_second']);
  });

  test('is given up on after the last attempt', async () => {
    await add('20260101000000_first', makeTable);
    await run();
    await client.query('BEGIN; SELECT * FROM thing');
    await add('20260102000000_second', 'ALTER TABLE thing ADD COLUMN name text;');
    await expect(run({ lockTimeoutMs: 20, attempts: 2 })).rejects.toThrow(/lock timeout/);
    await client.query('COMMIT');
  });
});

describe('a file that begins with "-- no transaction"', () => {
  test('runs outside a transaction', async () => {
    await add('20260101000000_first', makeTable);
    await add('20260102000000_index', makeIndex);
    expect(await run()).toHaveLength(2);
  });

  test('is done again after an interruption, without the invalid index that it left', async () => {
    await add('20260101000000_first', 'CREATE TABLE thing (id int); INSERT INTO thing VALUES (1), (1);');
    await add('20260102000000_index', makeIndex.replace('INDEX', 'UNIQUE INDEX'));
    await expect(run()).rejects.toThrow(/could not create unique index/);
    await expect(check()).rejects.toThrow(/20260102000000_index/);
    await client.query('DELETE FROM thing');
    expect(await run()).toEqual(['20260102000000_index']);
    const { rows } = await client.query(
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'thing_id'::regclass`,
    );
    expect(rows).toEqual([{ valid: true }]);
    const record = await client.query('SELECT FROM _prisma_migrations');
    expect(record.rowCount).toBe(2);
  });

  test('makes an index again whose making ended before that was recorded', async () => {
    await add('20260101000000_first', makeTable);
    await add('20260102000000_index', makeIndex);
    await run();
    await client.query(
      `UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0 WHERE migration_name LIKE '%index'`,
    );
    expect(await run()).toEqual(['20260102000000_index']);
    expect(await run()).toEqual([]);
  });
});

describe('a baseline', () => {
  const older = ['20260101000000_first', '20260102000000_second'] as const;
  const kept = ['20260103000000_third', '20260104000000_fourth'] as const;
  const baseline = '20260105000000_baseline';
  const later = '20260106000000_later';
  const steps = [
    [older[0], makeTable],
    [older[1], 'ALTER TABLE thing ADD COLUMN name text;'],
    [kept[0], 'ALTER TABLE thing ADD COLUMN size int;'],
    [kept[1], '-- no transaction\nUPDATE thing SET size = coalesce(size, 0) + 1;'],
  ] as const;
  const replacing = `-- replaces the migrations up to ${older[1]}, as commit 1234abc has them, and those in replaced/\n`;

  /** With the migrations of an earlier commit. */
  async function begin(count: number): Promise<void> {
    for (const [name, sql] of steps.slice(0, count)) await add(name, sql);
    await run();
  }

  async function replace(): Promise<void> {
    for (const [name] of steps) await rm(join(path, name), { recursive: true, force: true });
    await add(baseline, `${replacing}CREATE TABLE thing (id int PRIMARY KEY, name text, size int);`);
    for (const [name, sql] of steps.slice(2)) await add(`${baseline}/replaced/${name}`, sql);
    await add(later, 'ALTER TABLE thing ADD COLUMN color text;');
  }

  const things = async () => (await client.query('SELECT * FROM thing')).rows;

  test('makes a new database, by itself', async () => {
    await replace();
    expect(await run()).toEqual([baseline, later]);
    expect(await run()).toEqual([]);
    await check();
  });

  test('is only recorded where all that it replaces was applied, with what those rows hold', async () => {
    await begin(4);
    await client.query(`INSERT INTO thing VALUES (7, 'seven', 7)`);
    await replace();
    await expect(check()).rejects.toThrow(
      /is missing 2 migration\(s\), the first is 20260105000000_baseline/,
    );
    expect((await Promise.all([run(), run()])).flat()).toEqual([baseline, later]);
    await check();
    expect(await things()).toEqual([{ id: 7, name: 'seven', size: 7, color: null }]);
    // A version from before the baseline sees that it is older, and does not begin anew.
    for (const name of [baseline, later]) await rm(join(path, name), { recursive: true });
    await expect(begin(4)).rejects.toThrow(/newer than this version/);
  });

  test.each([
    ['none', 2, kept],
    ['some', 3, kept.slice(1)],
  ])('upgrades a database that has %s of those that are kept', async (_some, count, missing) => {
    await begin(count);
    await client.query(`INSERT INTO thing VALUES (7, 'seven')`);
    await replace();
    expect(await run()).toEqual([...missing, baseline, later]);
    expect(await things()).toEqual([{ id: 7, name: 'seven', size: 1, color: null }]);
    expect(await run()).toEqual([]);
    await check();
  });

  test('goes on with a migration that is kept and was interrupted', async () => {
    await begin(4);
    await client.query('UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1', [
      kept[1],
    ]);
    await replace();
    expect(await run()).toEqual([kept[1], baseline, later]);
  });

  test('upgrades a database that an earlier baseline made, by what came after that one', async () => {
    await add('20260103120000_baseline', 'CREATE TABLE thing (id int PRIMARY KEY, name text, size int);');
    await run();
    await rm(join(path, '20260103120000_baseline'), { recursive: true });
    await client.query(`INSERT INTO thing VALUES (7, 'seven')`);
    await replace();
    expect(await run()).toEqual([kept[1], baseline, later]);
    expect(await things()).toEqual([{ id: 7, name: 'seven', size: 1, color: null }]);
    expect(await run()).toEqual([]);
  });

  test('upgrades no database in which a migration that is kept was another one', async () => {
    await begin(3);
    await client.query('UPDATE _prisma_migrations SET checksum = $1 WHERE migration_name = $2', [
      '0',
      kept[0],
    ]);
    await replace();
    await expect(run()).rejects.toThrow(/20260103000000_third was changed/);
    await client.query('UPDATE _prisma_migrations SET migration_name = $1 WHERE migration_name = $2', [
      '20260103000000_other',
      kept[0],
    ]);
    await expect(run()).rejects.toThrow(/newer than this version.*20260103000000_other/);
  });

  test.each([
    ['lacks some of what is not kept', `DELETE FROM _prisma_migrations WHERE migration_name = '${older[1]}'`],
    ['was left in the midst of them', 'UPDATE _prisma_migrations SET finished_at = NULL'],
  ])('refuses a database that %s, names the commit and changes nothing', async (_state, statement) => {
    await begin(2);
    await client.query(statement);
    await replace();
    const refusal = /by a commit older than this version can read\..*Check out commit 1234abc/;
    await expect(run()).rejects.toThrow(refusal);
    await expect(check()).rejects.toThrow(refusal);
    const { rows } = await client.query(`SELECT FROM _prisma_migrations WHERE migration_name >= '20260103'`);
    expect(rows).toEqual([]);
  });
});

test('checking names what is missing and changes nothing', async () => {
  await add('20260101000000_first', makeTable);
  await expect(check()).rejects.toThrow(
    /is missing 1 migration\(s\), the first is 20260101000000_first.*moraine migrate/,
  );
  const { rows } = await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`);
  expect(rows).toHaveLength(0);
  await run();
  await check();
});
