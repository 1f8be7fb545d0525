import type pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPool, type ClosablePool } from '../../src/storage/connection.js';
import { read } from '../../src/storage/read.js';
import { documentStatement, statement } from '../../src/storage/statement.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';

const MIB = 1024 * 1024;

let database: TestDatabase;
let opened: ClosablePool[];
beforeEach(async () => {
  database = await createDatabase({ migrated: false });
  opened = [];
});
afterEach(async () => {
  for (const each of opened) await each.close();
  await database.drop();
});

/** A pool of one connection. */
function open(pooled = false): ClosablePool {
  const bounds = { max: 1, connectionTimeoutMillis: 30_000, statementTimeoutMillis: 60_000, pooled };
  const made = openPool({ connectionString: database.url }, { ...bounds, log: pino({ level: 'silent' }) });
  opened.push(made);
  return made;
}

/** SQL of so many characters that returns a number. */
const textOf = (length: number, given: number) =>
  `SELECT ${given} AS given /*`.padEnd(length - 2, '.') + '*/';

const namesOn = async ({ pool }: ClosablePool) =>
  (
    await pool.query<{ name: string }>('SELECT name FROM pg_prepared_statements ORDER BY prepare_time')
  ).rows.map(({ name }) => name);

test('the least used statements are forgotten, those of clients for those of clients alone', async () => {
  const connection = open();
  const own = statement('own', textOf(2000, -1));
  await read(connection.pool, own, []);
  const of = (given: number) => documentStatement('client', textOf(8000, given));
  for (let given = 0; given < 50; given += 1) {
    expect(await read(connection.pool, of(given), [])).toEqual([{ given }]);
    // Used all the time.
    expect(await read(connection.pool, of(0), [])).toEqual([{ given: 0 }]);
  }
  const names = await namesOn(connection);
  expect(names).toEqual(expect.arrayContaining(['own', of(0).name, of(49).name]));
  expect(names).not.toContain(of(1).name);
  const { client } = connection.prepared();
  expect(client.statements).toBe(names.length - 1);
  expect(client.bytes).toBeLessThanOrEqual(16 * MIB);
  // A closed statement is answered, and prepared again.
  expect(await read(connection.pool, of(1), [])).toEqual([{ given: 1 }]);
  expect(await namesOn(connection)).toContain(of(1).name);
});

test('a connection describes the rows of a statement that it keeps once', async () => {
  const { pool } = open();
  let described = 0;
  const client = await pool.connect();
  (client as unknown as pg.Client).connection.on('rowDescription', () => (described += 1));
  client.release();
  for (let round = 0; round < 5; round += 1)
    expect(await read(pool, statement('described', 'SELECT 7 AS given'), [])).toEqual([{ given: 7 }]);
  expect(described).toBe(1);
  const long = statement('described-long', textOf(300_000, 8));
  for (let round = 0; round < 3; round += 1) expect(await read(pool, long, [])).toEqual([{ given: 8 }]);
  expect(described).toBe(4);
});

test('a long statement is prepared without a name and kept by nobody', async () => {
  const connection = open();
  const long = [documentStatement('client', textOf(30_000, 1)), statement('long', textOf(60_000, 1))];
  for (const each of [...long, ...long])
    expect(await read(connection.pool, each, [])).toEqual([{ given: 1 }]);
  expect(await namesOn(connection)).toEqual([]);
});

test('behind a pooler, which bounds their number alone, clients have none kept that is longer than our own', async () => {
  const connection = open(true);
  const [short, long] = [4000, 5000].map((length) => documentStatement('client', textOf(length, length)));
  const own = documentStatement('own', textOf(5000, 1));
  for (const each of [short, long, own]) await read(connection.pool, each!, []);
  expect(await namesOn(connection)).toEqual([short!.name, own.name]);
});
