import type pg from 'pg';
import { StorageError } from './errors.js';
import type { Migration, Replaced } from './migration-files.js';

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
 * The migrations that the database lacks, in their order. A database from before the baseline has its tables
 * already: it gets those that the baseline replaces, and of the baseline only the name.
 *
 * @throws StorageError when an applied migration was changed, or the database is newer than these migrations,
 *   or older than what the baseline replaces
 */
export function pendingOf(migrations: readonly Migration[], record: readonly RecordRow[]): Migration[] {
  const baseline = migrations.find(({ replaces }) => replaces);
  const older = record.filter(({ name }) => baseline && name < baseline.name);
  if (!baseline?.replaces || older.length === 0) return missingOf(migrations, record);
  const start = startOf(baseline.replaces, older);
  const steps = migrations.map((migration) =>
    migration === baseline ? { ...migration, sql: '' } : migration,
  );
  return missingOf(
    [...baseline.replaces.kept, ...steps].filter(({ name }) => name > start),
    record.filter(({ name }) => name > start),
  );
}

/**
 * The newest recorded name that stands for all before it: an earlier baseline's, or that of the last
 * migration that is not kept.
 */
function startOf({ last, commit }: Replaced, older: readonly RecordRow[]): string {
  const starts = older.map(({ name }) => name).filter((name) => name === last || name.endsWith('_baseline'));
  const start = starts.sort().at(-1);
  if (start !== undefined && older.every(({ name, finished }) => finished || name > start)) return start;
  throw new StorageError(
    'The database was created during the development of version 0.1.0, by a commit older than this version can read. ' +
      `Nothing was changed. Check out commit ${commit}, run \`npm ci && npm run moraine -- migrate\` there with the same ` +
      'settings, then start this version again; or use another database.',
  );
}

function missingOf(migrations: readonly Migration[], record: readonly RecordRow[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const applied = new Set<string>();
  for (const { name, checksum, finished } of record) {
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
  return migrations.filter(({ name }) => !applied.has(name));
}
