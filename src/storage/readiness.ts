import type pg from 'pg';
import { readMigrations } from './migration-files.js';

const folder = new URL('../../prisma/migrations/', import.meta.url);
let known: Promise<string[]> | undefined;

/**
 * The migrations of this version that the database lacks; none means that it can be served from. A database that
 * is newer lacks none: changes expand before they contract.
 *
 * @throws what pg throws when the database cannot be reached
 */
export async function missingMigrations(pool: pg.Pool): Promise<string[]> {
  known ??= readMigrations(folder).then((migrations) => migrations.map(({ name }) => name));
  const { rows } = await pool.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  const applied = new Set(rows.map(({ name }) => name));
  return (await known).filter((name) => !applied.has(name));
}
