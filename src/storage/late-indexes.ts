import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './errors.js';
import { migrationLock } from './migration-lock.js';
import type { Connection } from './session.js';

const tryLock = `SELECT pg_try_advisory_xact_lock(${migrationLock}) AS locked`;

// Another process uses the table, the role may not drop its indexes, or the database is older than this
// version.
const reasonsNotTo = new Set(['55P03', '40P01', '42501', '42P01']);

/** What is made with the indexes of a table. */
export interface LateWork {
  /** It is recorded under this name, which no table or index has. */
  name: string;
  table: string;
  /** Its SQL; sorts after that of indexes, which it may need. */
  definition: string;
}

/** SQL that is true while a late work is recorded: what it makes is to be left alone. */
export const isLate = (name: string) => `EXISTS (SELECT 1 FROM late_index WHERE name = '${name}')`;

/**
 * Drops the indexes of those tables that are empty, and records them in the same transaction, so that
 * `makeLateIndexes` makes them when the tables are filled: at the end of the import, or at the next start if
 * it was killed. Unique ones stay. Nothing is dropped once a gateway has run on the database, because it may
 * be serving from it.
 *
 * @param works what is recorded with the indexes of its table
 * @returns the names of the indexes and works, none if no index could be dropped
 */
export async function dropLateIndexes(
  connection: Connection,
  tables: readonly string[],
  works: readonly LateWork[] = [],
): Promise<string[]> {
  if (tables.length === 0) return [];
  try {
    return await transaction(connection, async () => {
      await connection.query("SET LOCAL lock_timeout = '2s'");
      // A gateway that starts now waits here to make its row, and looks for late indexes after that.
      await connection.query('LOCK TABLE installation IN SHARE MODE');
      if (!(await isTrue(connection, tryLock))) return [];
      if (await isTrue(connection, 'SELECT EXISTS (SELECT 1 FROM installation)')) return [];
      const names: string[] = [];
      for (const table of tables) {
        const dropped = await dropLateIndexesOf(connection, table);
        const own = dropped.length > 0 ? works.filter((work) => work.table === table) : [];
        for (const { name, definition } of own)
          await connection.query('INSERT INTO late_index (name, definition) VALUES ($1, $2)', [
            name,
            definition,
          ]);
        names.push(...dropped, ...own.map(({ name }) => name));
      }
      return names;
    });
  } catch (error) {
    if (reasonsNotTo.has(codeOf(error) ?? '')) return [];
    throw error;
  }
}

async function dropLateIndexesOf(connection: Connection, table: string): Promise<string[]> {
  // Another import may be about to write the first rows.
  await connection.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  if (await isTrue(connection, `SELECT EXISTS (SELECT 1 FROM ${table})`)) return [];
  const { rows } = await connection.query<{ name: string }>(
    `INSERT INTO late_index (name, definition)
     SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid)
     FROM pg_index WHERE indrelid = $1::regclass AND NOT indisunique AND indisvalid
     RETURNING name`,
    [table],
  );
  for (const { name } of rows) await connection.query(`DROP INDEX ${name}`);
  return rows.map(({ name }) => name);
}

/** The names of indexes that were dropped and are not made again yet. */
export async function findLateIndexes(connection: Connection): Promise<string[]> {
  if (await isTrue(connection, `SELECT to_regclass('late_index') IS NULL`)) return [];
  const { rows } = await connection.query<{ name: string }>('SELECT name FROM late_index ORDER BY name');
  return rows.map(({ name }) => name);
}

/**
 * Makes the late indexes, each in a transaction with the removal of its record. Meanwhile its table can be
 * read, and an import waits. Several processes may do so at once.
 *
 * @param onMake called with each index before it is made
 */
export async function makeLateIndexes(
  connection: Connection,
  onMake: (name: string) => void = () => undefined,
): Promise<void> {
  while ((await findLateIndexes(connection)).length > 0) {
    const isLocked = await transaction(connection, () => makeNext(connection, onMake));
    // Polled outside a transaction: a waiting one would delay a CREATE INDEX CONCURRENTLY.
    if (!isLocked) await sleep(200);
  }
}

/** Whether the lock was free. */
async function makeNext(connection: Connection, onMake: (name: string) => void): Promise<boolean> {
  await connection.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
  if (!(await isTrue(connection, tryLock))) return false;
  const { rows } = await connection.query<{ name: string; definition: string; made: boolean }>(
    `SELECT name, definition, to_regclass(name) IS NOT NULL AS made FROM late_index ORDER BY definition COLLATE "C" LIMIT 1`,
  );
  for (const { name, definition, made } of rows) {
    onMake(name);
    if (!made) await connection.query(definition);
    await connection.query('DELETE FROM late_index WHERE name = $1', [name]);
  }
  return true;
}

async function isTrue(connection: Connection, text: string): Promise<boolean> {
  const { rows } = await connection.query<[boolean]>({ text, rowMode: 'array' });
  return rows[0]?.[0] === true;
}

async function transaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.query('BEGIN');
  try {
    const done = await work();
    await connection.query('COMMIT');
    return done;
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
