import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadInstallation } from '../../src/storage/installation.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { createPool, storageOn } from '../harness/connections.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = createPool(database.url, 8);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('processes that start together agree on one installation, and it stays', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => loadInstallation(storageOn(pool).prisma)));
  const [first] = made;
  expect(first?.secret).toHaveLength(32);
  expect(first?.id).toMatch(/^[0-9a-f-]{36}$/);
  for (const each of made) expect(each).toEqual(first);
  expect(await loadInstallation(storageOn(pool).prisma)).toEqual(first);
});
