import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as following from '../../src/state/following.js';
import * as staking from '../../src/state/staking.js';
import { columnName, type StateTable } from '../../src/state/table.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { readPrismaSchema, type Table } from '../../bin/prisma-schema.js';
import { connectTo } from '../harness/connections.js';

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

const schemaFile = new URL('../../prisma/schema.prisma', import.meta.url);

test('the migrated database has exactly the tables, columns, types and keys of schema.prisma', async () => {
  const wanted = await readPrismaSchema(schemaFile);
  expect(Object.keys(wanted)).toContain('installation');
  expect(await readCatalog()).toEqual(wanted);
});

test("the follower's tables are declared with the columns, types and keys of schema.prisma and of the database", async () => {
  const tables = Object.values<unknown>({ ...following, ...staking }).filter(isTable);
  expect(tables.length).toBe(14);
  const declared = tables.map(({ name, fields, key }) => {
    const columns = Object.entries(fields).map(([field, { type, nullable }]) => [
      columnName(field),
      { type, nullable },
    ]);
    return [name, { columns: Object.fromEntries(columns), primaryKey: key }];
  });
  const same = (found: Record<string, Table>) =>
    tables.map(({ name }) => [name, { columns: found[name]?.columns, primaryKey: found[name]?.primaryKey }]);
  expect(declared).toEqual(same(await readPrismaSchema(schemaFile)));
  expect(declared).toEqual(same(await readCatalog()));
});

const isTable = (value: unknown): value is StateTable => typeof value === 'object' && value !== null;

async function readCatalog(): Promise<Record<string, Table>> {
  const columns = await client.query<{ table: string; column: string; type: string; nullable: boolean }>(
    `SELECT c.relname AS table, a.attname AS column, NOT a.attnotnull AS nullable,
            CASE WHEN e.typtype = 'e' THEN e.typname ELSE format_type(a.atttypid, a.atttypmod) END AS type
       FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       JOIN pg_type e ON e.oid = a.atttypid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relname <> '_prisma_migrations'`,
  );
  // Partial and expression indexes are no keys of a model, unique or not.
  const keys = await client.query<{ table: string; columns: string[]; primary: boolean }>(
    `SELECT c.relname AS table, i.indisprimary AS primary,
            ARRAY(SELECT a.attname::text
                    FROM unnest(i.indkey) WITH ORDINALITY k(attnum, position)
                    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
                   WHERE k.position <= i.indnkeyatts ORDER BY k.position) AS columns
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND i.indisunique
        AND i.indpred IS NULL AND i.indexprs IS NULL AND c.relname <> '_prisma_migrations'`,
  );
  const tables: Record<string, Table> = {};
  for (const { table, column, type, nullable } of columns.rows) {
    (tables[table] ??= { columns: {}, primaryKey: [], uniqueKeys: [] }).columns[column] = { type, nullable };
  }
  for (const { table, columns: names, primary } of keys.rows) {
    const found = tables[table];
    if (!found) continue;
    if (primary) found.primaryKey = names;
    else found.uniqueKeys.push(names.join(', '));
  }
  for (const table of Object.values(tables)) table.uniqueKeys.sort();
  return tables;
}
