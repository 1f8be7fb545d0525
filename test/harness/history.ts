import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
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
export function databaseOf(commit: string) {
  return databaseWith((folder) => {
    const input = execFileSync('git', ['archive', commit, 'prisma/migrations']);
    execFileSync('tar', ['-x', '-C', folder], { input });
    return join(folder, 'prisma/migrations/');
  });
}

/** The same with the migrations before one of this version. */
export function databaseBefore(migration: string) {
  return databaseWith(async (folder) => {
    const own = new URL('../../prisma/migrations/', import.meta.url);
    const names = (await readdir(own)).filter((name) => name.startsWith('2') && name < migration);
    for (const name of names) await cp(new URL(`${name}/`, own), join(folder, name), { recursive: true });
    return `${folder}/`;
  });
}

/** @param copy puts migrations into a folder, and returns theirs */
async function databaseWith(copy: (folder: string) => string | Promise<string>) {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-history-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const migrations = pathToFileURL(await copy(folder));
  const database = await createDatabase({ migrated: false });
  onTestFinished(database.drop);
  await migrate({ connectionString: database.url }, { log: pino({ level: 'silent' }), folder: migrations });
  const client = await connectTo(database.url);
  onTestFinished(() => client.end());
  return { url: database.url, client };
}
