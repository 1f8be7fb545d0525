import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { openDatabase } from '../../src/open-database.js';
import type { Storage } from '../../src/storage/open.js';
import { temporaryOf, type Other } from './against.js';

/** Where the data of a benchmark stays. @param of another checkout that runs it */
export const dataFolder = (name: string, of?: Other) =>
  join(of ? temporaryOf(of) : tmpdir(), 'moraine-bench', name);

/**
 * A database that stays between runs, so that its data is made once: the embedded one in a separate folder,
 * or the one that BENCH_DATABASE_URL names.
 */
export async function openBenchDatabase(
  name: string,
): Promise<{ storage: Storage; env: Record<string, string> }> {
  const url = process.env['BENCH_DATABASE_URL'];
  const folder = dataFolder(name);
  if (!url) await mkdir(folder, { recursive: true });
  const env: Record<string, string> = url ? { DATABASE_URL: url } : { DATA_DIR: folder };
  const storage = await openDatabase(
    loadConfig({ ...env, STATEMENT_TIMEOUT_MS: '3600000' }),
    pino({ level: 'warn' }),
  );
  return { storage, env };
}
