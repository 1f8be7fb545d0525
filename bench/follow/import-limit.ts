import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { openDatabase } from '../../src/open-database.js';
import { importFiles } from '../harness/files.js';
import { program, type BenchChain } from './bench-chain.js';
import type { Speed } from './speed.js';

const DATABASE = 'moraine_bench_follow_import';

/**
 * How many blocks a second `moraine import` writes, of files with the transactions that were followed, into
 * an empty database of the same server: rows need not be made then, and nobody else works.
 *
 * @param followed everything that the database has
 */
export async function measureImport(
  { storage }: Pick<BenchChain, 'storage'>,
  followed: Pick<Speed, 'blocks' | 'transactions'>,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-bench-follow-'));
  const drop = () => storage.session((session) => session.query(`DROP DATABASE IF EXISTS ${DATABASE}`));
  try {
    const kinds = ['--kind', 'transactions', '--no-gzip', folder];
    const env = { ...process.env, DATABASE_URL: storage.url, MIGRATE: 'off' };
    await promisify(execFile)(process.execPath, [program, 'export', ...kinds], { env });
    await drop();
    const url = await emptyDatabase({ storage });
    const files = (await readdir(folder)).map((name) => join(folder, name));
    const { rate } = await importFiles(process.cwd(), files, { DATABASE_URL: url });
    return (followed.blocks * rate) / followed.transactions;
  } finally {
    await drop();
    await rm(folder, { recursive: true });
  }
}

/** A migrated one, in which the network is what it is in the first. */
async function emptyDatabase({ storage }: Pick<BenchChain, 'storage'>): Promise<string> {
  await storage.session((session) => session.query(`CREATE DATABASE ${DATABASE}`));
  const url = new URL(storage.url);
  url.pathname = `/${DATABASE}`;
  const empty = await openDatabase(loadConfig({ DATABASE_URL: url.href }), pino({ level: 'warn' }));
  try {
    await empty.prisma.followNetwork.createMany({ data: await storage.prisma.followNetwork.findMany() });
  } finally {
    await empty.close();
  }
  return url.href;
}
