import type pg from 'pg';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/storage/migrate.js';
import { readMigrations } from '../../src/storage/migration-files.js';
import { catalogOf } from '../harness/catalog.js';
import { connectTo } from '../harness/connections.js';
import { createDatabase } from '../harness/database.js';
import { databaseOf, git, hasHistory } from '../harness/history.js';

const log = pino({ level: 'silent' });
const [baseline, ...later] = await readMigrations();
const { commit = '', last = '', kept = [] } = baseline?.replaces ?? {};

test('the first migration is a baseline, named after those that it replaces', () => {
  expect(later.filter(({ replaces }) => replaces)).toEqual([]);
  expect(baseline?.name).toMatch(/_baseline$/);
  const names = [last, ...kept.map(({ name }) => name), baseline?.name];
  expect(names).toEqual(names.toSorted());
});

describe.skipIf(!hasHistory)('in the history of this repository', () => {
  test('the commit that an older database is sent to has the migrations that are not kept', () => {
    expect(() => git('merge-base', '--is-ancestor', commit, 'HEAD')).not.toThrow();
    const names = git('ls-tree', '-d', '--name-only', `${commit}:prisma/migrations`).split('\n');
    expect(names.at(-1)).toBe(last);
  });

  test.each(commitsOfDatabases())(
    'a database of commit %s gets what it lacks, each once, keeps what it has, and is then like a new one',
    async (of) => {
      const { url, client } = await databaseOf(of);
      await client.query(
        `INSERT INTO api_key (hash, name, plan, rights) VALUES ('\\x01', 'A wallet', 'free', '{}')`,
      );
      const had = await recordedIn(client);
      const applied = await migrate({ connectionString: url }, { log });
      expect(await recordedIn(client)).toEqual([...had, ...applied].sort());
      expect(new Set([...had, ...applied]).size).toBe(had.length + applied.length);
      expect((await client.query('SELECT name FROM api_key')).rows).toEqual([{ name: 'A wallet' }]);
      expect(await catalogAndFirstRows(client)).toEqual(await ofNewDatabase());
      expect(await migrate({ connectionString: url }, { log })).toEqual([]);
    },
  );
});

/**
 * With whose migrations databases were made: the oldest, one of which databases are known, and those before
 * and after each baseline.
 */
function commitsOfDatabases(): string[] {
  if (!hasHistory) return [];
  const file = 'prisma/migrations/*_baseline/migration.sql';
  const baselines = git('log', '--format=%h', '--diff-filter=A', '--no-renames', `${commit}..`, '--', file);
  const around = baselines.split('\n').flatMap((of) => [`${of}^`, of]);
  const all = [commit, '7bf46e63', ...around, 'HEAD'].map((of) => git('rev-parse', '--short=8', of));
  return [...new Map(all.map((of) => [git('rev-parse', `${of}:prisma/migrations`), of])).values()];
}

async function recordedIn(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations ORDER BY migration_name COLLATE "C"',
  );
  return rows.map(({ name }) => name);
}

async function catalogAndFirstRows(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query<object>('SELECT * FROM address ORDER BY id');
  return [...(await catalogOf(client)), ...rows];
}

async function ofNewDatabase(): Promise<unknown[]> {
  const { url, drop } = await createDatabase({ migrated: false });
  onTestFinished(drop);
  expect(await migrate({ connectionString: url }, { log })).toEqual([
    baseline?.name,
    ...later.map(({ name }) => name),
  ]);
  const client = await connectTo(url);
  onTestFinished(() => client.end());
  return catalogAndFirstRows(client);
}
