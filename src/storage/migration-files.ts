import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { StorageError } from './errors.js';

// By a name of package.json: from src/ and from dist/src/ the way there differs.
const lockFile = createRequire(import.meta.url).resolve('#migrations/migration_lock.toml');
const ownMigrations = new URL('./', pathToFileURL(lockFile));

export interface Migration {
  /** `<timestamp>_<name>`, the name of its folder. */
  name: string;
  sql: string;
  /** SHA-256 of the file in hexadecimal, as Prisma records it. */
  checksum: string;
  /** false: the file begins with `-- no transaction` and holds one statement. */
  transactional: boolean;
  /** The index that a CREATE INDEX CONCURRENTLY makes. */
  concurrentIndex: string | undefined;
  /** Of a baseline, whose first line says so. */
  replaces: Replaced | undefined;
}

/** What a baseline replaces: see docs/decisions/0008-baseline.md. */
export interface Replaced {
  /**
   * The last of the migrations that are not kept, and a commit that has them. A database that lacks some is
   * refused.
   */
  last: string;
  commit: string;
  /** Those that are kept, in the folder `replaced`. An older database gets the ones that it lacks. */
  kept: Migration[];
}

const firstLine =
  /^-- replaces the migrations up to (?<last>\w+), as commit (?<commit>[0-9a-f]+) has them, and those in replaced\/\n/;

/**
 * Reads `<timestamp>_<name>/migration.sql` below a folder, the package's own by default, in the order in
 * which they apply.
 */
export async function readMigrations(folder = ownMigrations): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readMigration(folder, name)));
}

async function readMigration(folder: URL, name: string): Promise<Migration> {
  if (!/^\d{14}_\w+$/.test(name))
    throw new StorageError(`The migration folder ${name} is not named <14 digits>_<name>.`);
  const text = await readFile(new URL(`${name}/migration.sql`, folder), 'utf8');
  // A checkout on Windows may have changed the line ends.
  const sql = text.replaceAll('\r\n', '\n');
  const index = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/i.exec(
    sql,
  );
  return {
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    transactional: !sql.startsWith('-- no transaction'),
    concurrentIndex: index?.[1],
    replaces: await replacedBy(sql, new URL(`${name}/replaced/`, folder)),
  };
}

async function replacedBy(sql: string, folder: URL): Promise<Replaced | undefined> {
  const { last, commit } = firstLine.exec(sql)?.groups ?? {};
  return last && commit ? { last, commit, kept: await readMigrations(folder) } : undefined;
}
