import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { read } from '../../src/storage/read.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { createPool, storageOn } from '../harness/connections.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createDatabase({ migrated: false });
  pool = createPool(database.url, 3);
  await pool.query('CREATE TABLE thing (id int); INSERT INTO thing VALUES (1), (2)');
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

/** Runs something on each connection of the pool. */
async function onEach(work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const clients = await Promise.all([1, 2, 3].map(() => pool.connect()));
  for (const client of clients) await work(client);
  for (const client of clients) client.release();
}

const things = { name: 'things', text: 'SELECT * FROM thing WHERE id >= $1 ORDER BY id' };

test('a hot read is prepared once on each connection', async () => {
  await read(pool, things, [1]);
  await read(pool, things, [2]);
  const { rows } = await pool.query('SELECT name FROM pg_prepared_statements');
  expect(rows).toEqual([{ name: 'things' }]);
});

test('a hot read survives a change of the schema, on every connection that had prepared it', async () => {
  await Promise.all([1, 2, 3].map(() => read(pool, things, [1])));
  expect(pool.totalCount).toBe(3);
  await pool.query('ALTER TABLE thing ADD COLUMN name text');
  for (let round = 0; round < 6; round += 1) {
    expect(await read(pool, things, [2])).toEqual([{ id: 2, name: null }]);
  }
});

test('a hot read survives a statement that was thrown away', async () => {
  await read(pool, things, [1]);
  await pool.query('DEALLOCATE ALL');
  expect(await read(pool, things, [2])).toEqual([{ id: 2 }]);
});

test('a hot read survives a statement of its name that somebody else has prepared, as behind a pooler', async () => {
  for (let round = 0; round < 6; round += 1) {
    await onEach((client) => client.query('DEALLOCATE ALL; PREPARE things AS SELECT 3'));
    expect(await read(pool, things, [2])).toEqual([{ id: 2 }]);
  }
});

const every = {
  name: 'every-type',
  text: `SELECT $1::int8 AS i8, $2::numeric AS exact, $3::text AS words, $4::bool AS yes, $5::jsonb AS json, $6::text[] AS texts,
      $7::bytea AS bytes, $8::timestamptz AS at, $9::int4[] AS numbers, $3::text AS words, NULL::text AS nothing
    FROM generate_series(1, 2)`,
};
const values = [
  2n ** 62n,
  '1.50',
  `a "quoted" \\ text`,
  true,
  { a: [1, null] },
  ['x', 'with, comma', ''],
  Buffer.from([0, 255]),
  new Date(1_600_000_000_123),
  [1, 2],
];

test('a hot read returns what any other statement does, the first time and every other time', async () => {
  const usual = await pool.query(every.text, values);
  for (let round = 0; round < 4; round += 1)
    expect(await read(pool, every, values)).toStrictEqual(usual.rows);
  const nulls = values.map(() => null);
  expect(await read(pool, every, nulls)).toStrictEqual((await pool.query(every.text, nulls)).rows);
});

test('a value that cannot be sent and a row that cannot be read fail their read alone', async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['itself'] = cyclic;
  await expect(read(pool, every, [...values.slice(0, 4), cyclic, ...values.slice(5)])).rejects.toThrow(
    'circular',
  );
  const unreadable = { name: 'unreadable', text: `SELECT '{1,2'::text AS id FROM thing WHERE id > $1` };
  expect(await read(pool, unreadable, [0])).toHaveLength(2);
  await expect(read(pool, things, ['no number'])).rejects.toThrow('invalid input syntax');
  expect(await read(pool, things, [2])).toEqual([{ id: 2 }]);
});

test.each([
  [
    'was thrown away',
    [{ name: 'counted', text: 'SELECT count(*)::int AS count FROM thing' }, 'DEALLOCATE ALL'],
  ],
  ['somebody else has prepared', ['PREPARE counted AS SELECT 3']],
])('a snapshot survives a statement that %s, as a whole, and sees one state', async (_what, spoiling) => {
  await onEach(async (client) => {
    for (const each of spoiling) await client.query(each);
  });
  const text = 'SELECT count(*)::int AS count FROM thing';
  const counts = await storageOn(pool).snapshot(async (connection) => {
    const before = await connection.query(text);
    await pool.query('INSERT INTO thing VALUES (3)');
    return [before.rows, (await connection.query({ name: 'counted', text })).rows];
  });
  expect(counts[1]).toEqual(counts[0]);
});

test('failing reads use no connection up', async () => {
  for (let round = 0; round < 5; round += 1) {
    const wrong = { name: 'wrong', text: 'SELECT 1/$1::int' };
    await expect(read(pool, wrong, [0])).rejects.toThrow(/division by zero/);
  }
  expect(await read(pool, things, [2])).toEqual([{ id: 2 }]);
});
