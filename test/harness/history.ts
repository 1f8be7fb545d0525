import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { migrate } from '../../src/storage/migrate.js';
import { connectTo } from './connections.js';
import { createDatabase } from './database.js';

export const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();

/** Whether earlier commits can be read: a copy may be without them. */
export const hasHistory = ((): boolean => {
  try {
    return git('rev-parse', '--is-shallow-repository') === 'false';
  } catch {
    return false;
  }
})();

/** A database with all migrations of a commit, and no others; dropped after the test. */
export async function databaseOf(commit: string) {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-history-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const input = execFileSync('git', ['archive', commit, 'prisma/migrations']);
  execFileSync('tar', ['-x', '-C', folder], { input });
  const migrations = pathToFileURL(join(folder, 'prisma/migrations/'));
  const database = await createDatabase({ migrated: false });
  onTestFinished(database.drop);
  await migrate({ connectionString: database.url }, { log: pino({ level: 'silent' }), folder: migrations });
  const client = await connectTo(database.url);
  onTestFinished(() => client.end());
  return { url: database.url, client };
}
