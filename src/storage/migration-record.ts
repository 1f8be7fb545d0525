import type pg from 'pg';
import { StorageError } from './errors.js';
import type { Migration } from './migration-files.js';

/** A row of `_prisma_migrations` that was not rolled back. */
export interface RecordRow {
  name: string;
  checksum: string;
  finished: boolean;
}

/** The migrations that the database has recorded; none in a new database. */
export async function readRecord(client: pg.Client): Promise<RecordRow[]> {
  const table = await client.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  if (!table.rows[0]?.found) return [];
  const { rows } = await client.query<RecordRow>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return rows;
}

/**
 * The migrations that the database lacks, in their order. If it has all that a baseline replaces, the baseline comes without
 * statements: only its name is missing.
 *
 * @throws StorageError when an applied migration was changed, or the database is newer than these migrations, or older than
 *   what the baseline replaces
 */
export function pendingOf(migrations: readonly Migration[], record: readonly RecordRow[]): Migration[] {
  const replaced = replacedIn(migrations, record);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const applied = new Set<string>();
  for (const { name, checksum, finished } of record.filter((row) => !replaced.includes(row))) {
    const migration = known.get(name);
    if (!migration)
      throw new StorageError(
        `The database is newer than this version of Moraine: it has the migration ${name}. ` +
          'Start the version that made it, or use another database.',
      );
    if (!finished) continue;
    if (migration.checksum !== checksum)
      throw new StorageError(
        `The migration ${name} was changed after it had been applied to this database. ` +
          'Restore the file, and put the change into a new migration.',
      );
    applied.add(name);
  }
  return migrations
    .filter(({ name }) => !applied.has(name))
    .map((migration) => (migration.replaces && replaced.length > 0 ? { ...migration, sql: '' } : migration));
}

/** The rows of migrations that the baseline replaces. @throws StorageError when not all of them were applied */
function replacedIn(migrations: readonly Migration[], record: readonly RecordRow[]): RecordRow[] {
  const baseline = migrations.find(({ replaces }) => replaces);
  if (!baseline?.replaces) return [];
  const { last, commit } = baseline.replaces;
  const rows = record.filter(({ name }) => name < baseline.name);
  const isWhole = rows.every(({ finished }) => finished) && rows.some(({ name }) => name === last);
  if (rows.length > 0 && !isWhole)
    throw new StorageError(
      'The database was made during the development of version 0.1.0, by a commit older than this version can read. ' +
        `Nothing was changed. Check out commit ${commit}, run \`npm ci && npm run moraine -- migrate\` there with the same ` +
        'settings, then start this version again; or use another database.',
    );
  return rows;
}
