import { readMigrations } from './migration-files.js';
import type { Storage } from './storage.js';

const text = `SELECT migration_name AS name FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
let known: Promise<string[]> | undefined;

interface Row {
  name: string;
}

/**
 * The migrations of this version that the database lacks; none means that it can be served from. A newer
 * database lacks none, because changes expand before they contract. It uses a spare connection, so that a
 * full pool does not delay it.
 *
 * @throws what pg throws when the database cannot be reached
 */
export function missingMigrations(storage: Storage): Promise<string[]> {
  const { open, idle, limit } = storage.figures();
  return missingFrom(async () =>
    open >= limit && idle === 0
      ? (await storage.spareConnection((connection) => connection.query<Row>(text))).rows
      : storage.prisma.$queryRawUnsafe<Row[]>(text),
  );
}

/** The same of any server. @param ask returns a statement's rows */
export async function missingFrom(ask: (text: string) => Promise<Row[]>): Promise<string[]> {
  known ??= readMigrations().then((migrations) => migrations.map(({ name }) => name));
  const applied = new Set((await ask(text)).map(({ name }) => name));
  return (await known).filter((name) => !applied.has(name));
}
