import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { openClient } from './connection.js';
import { codeOf, StorageError } from './errors.js';
import { findLateIndexes, makeLateIndexes } from './late-indexes.js';
import { readMigrations, type Migration } from './migration-files.js';
import { lockMigrations } from './migration-lock.js';
import { pendingOf, readRecord } from './migration-record.js';

export interface MigrateOptions {
  log: Logger;
  /** What has to succeed before anything is changed; asked only where something is missing. */
  before?: (() => Promise<void>) | undefined;
  /** The folder with `<timestamp>_<name>/migration.sql`; the package's own by default. */
  folder?: URL;
  /** How long a statement waits for a table that is in use, before it steps back so that others get by. */
  lockTimeoutMs?: number;
  attempts?: number;
}

/**
 * Brings the database up to date: applies what is missing, in order of name, and records it as Prisma does.
 * Safe to run from several processes at once and while others serve.
 *
 * @returns the names that were applied
 * @throws StorageError when an applied migration was changed, the database is newer than this version or
 *   older than its baseline, or one fails; what `before` throws
 */
export async function migrate(connection: pg.ClientConfig, options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(options.folder);
  return withClient(connection, async (client) => {
    const isComplete = (await findLateIndexes(client)).length === 0;
    const isCurrent = pendingOf(migrations, await readRecord(client)).length === 0;
    if (isComplete && isCurrent) return [];
    if (!isCurrent) await options.before?.();
    await lockMigrations(client, options.log);
    await createRecord(client);
    // First: a migration may change them.
    await makeLateIndexes(client, (index) =>
      options.log.info({ index }, 'creating an index that an import postponed'),
    );
    const pending = pendingOf(migrations, await readRecord(client));
    for (const migration of pending) await applyPatiently(client, migration, options);
    return pending.map(({ name }) => name);
  });
}

/** @throws StorageError when the database is not exactly as this version needs it; changes nothing */
export async function checkMigrated(connection: pg.ClientConfig, folder?: URL): Promise<void> {
  const migrations = await readMigrations(folder);
  await withClient(connection, async (client) => {
    const pending = pendingOf(migrations, await readRecord(client));
    const late = await findLateIndexes(client);
    const [what, first] =
      pending.length > 0
        ? ['migration(s)', pending[0]?.name]
        : ['index(es) that an import postponed', late[0]];
    if (first === undefined) return;
    throw new StorageError(
      `The database is missing ${pending.length || late.length} ${what}, the first is ${first}. ` +
        'Run `moraine migrate`, or start with MIGRATE=auto.',
    );
  });
}

async function withClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const bounds = { connectionTimeoutMillis: 10_000, application_name: 'moraine migrate' };
  const client = openClient({ ...connection, ...bounds });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

// Under the lock: IF NOT EXISTS does not hold between two processes at the same moment.
async function createRecord(client: pg.Client): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`);
}

async function applyPatiently(
  client: pg.Client,
  migration: Migration,
  options: MigrateOptions,
): Promise<void> {
  const { log, lockTimeoutMs = 5000, attempts = 20 } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`SET statement_timeout = 0 /* the role's */; SET lock_timeout = ${lockTimeoutMs}`);
      await (migration.transactional ? applyWhole(client, migration) : applyBare(client, migration));
      log.info({ migration: migration.name }, 'applied a migration');
      return;
    } catch (error) {
      if (codeOf(error) !== '55P03' || attempt >= attempts)
        throw new StorageError(`The migration ${migration.name} failed: ${(error as Error).message}`, {
          cause: error,
        });
      log.warn({ migration: migration.name, attempt }, 'a table is in use: trying the migration again');
      await sleep(Math.min(lockTimeoutMs, 1000));
    }
  }
}

async function applyWhole(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await forgetUnfinished(client, migration);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

// Recorded before and after, so that an interrupted run is seen and done again.
async function applyBare(client: pg.Client, migration: Migration): Promise<void> {
  const wasBegun = await forgetUnfinished(client, migration);
  if (migration.concurrentIndex) await dropLeftIndex(client, migration.concurrentIndex, wasBegun);
  const id = randomUUID();
  await client.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)`, [
    id,
    migration.checksum,
    migration.name,
  ]);
  await client.query(migration.sql);
  await client.query(
    `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1`,
    [id],
  );
}

/** Whether there was something to forget. */
async function forgetUnfinished(client: pg.Client, { name }: Migration): Promise<boolean> {
  const text = `DELETE FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NULL`;
  return (await client.query(text, [name])).rowCount !== 0;
}

// What a CREATE INDEX CONCURRENTLY leaves that was interrupted: an index that is never used, yet its name is
// taken; or a whole one, when the interruption came before that was recorded. A whole one that no run of ours
// began is not ours.
async function dropLeftIndex(client: pg.Client, name: string, wasBegun: boolean): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND (NOT indisvalid OR $2)`,
    [pg.escapeIdentifier(name), wasBegun],
  );
  if (rowCount) await client.query(`DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(name)}`);
}
