import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import type { RunningServer } from '../../packages/embedded-postgres-server/src/index.js';
import { canEnter } from '../../packages/embedded-postgres-server/src/os-account.js';
import { joinEmbedded, type EmbeddedOptions } from '../../src/storage/embedded.js';
import { openClient } from '../../src/storage/connection.js';

export const isRoot = process.getuid?.() === 0;
/** A user that every Linux has. */
export const nobody = { uid: 65_534, gid: 65_534 };

const project = fileURLToPath(new URL('../../', import.meta.url));
const small = { shared_buffers: '16MB', max_connections: '40', max_wal_size: '64MB' };

/** Whether another user can read this checkout, so that a test may start Moraine as that user. */
export function othersCanRun(): Promise<boolean> {
  return isRoot ? canEnter({ kind: 'user', ...nobody }, join(project, 'src')) : Promise.resolve(false);
}

/** A folder for one test. */
export async function temporaryFolder(
  within = tmpdir(),
): Promise<{ path: string; drop: () => Promise<void> }> {
  const path = await mkdtemp(join(within, 'moraine-data-'));
  await chmod(path, 0o755);
  return { path, drop: () => rm(path, { recursive: true, force: true }) };
}

/** joinEmbedded with a small cluster. */
export function openHere(options: Omit<EmbeddedOptions, 'log'>): Promise<RunningServer> {
  return joinEmbedded({
    ...options,
    settings: { ...small, ...options.settings },
    log: pino({ level: 'silent' }),
  });
}

/** joinEmbedded in a separate process. */
export interface OtherProcess {
  child: ChildProcess;
  connection: pg.ClientConfig | undefined;
  /** The message of the error with which it ended instead. */
  failure: string | undefined;
  close: () => Promise<void>;
  kill: () => Promise<void>;
}

/**
 * The program of this Node in a place where every user may run it: a copy if it is in somebody's home, like
 * that of `npx -p node@24`.
 */
export async function nodeForOthers(): Promise<{ path: string; drop: () => Promise<void> }> {
  const path = process.execPath;
  if (!isRoot || (await canEnter({ kind: 'user', ...nobody }, dirname(path))))
    return { path, drop: () => Promise.resolve() };
  const folder = await temporaryFolder();
  const copy = join(folder.path, 'node');
  await copyFile(path, copy);
  return { path: copy, drop: folder.drop };
}

export async function openElsewhere(
  options: Omit<EmbeddedOptions, 'log'>,
  user: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<OtherProcess> {
  const script = join(project, 'test/harness/storage-process.mjs');
  const argument = JSON.stringify({ ...options, settings: small });
  const child = spawn(inject('nodeForOthers'), [script, argument], {
    ...user,
    cwd: project,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  if (!child.stdout) throw new Error('no standard output');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [unknown];
  const said = typeof line === 'string' ? (JSON.parse(line) as Partial<OtherProcess>) : {};
  const finish = async (end: () => void) => {
    end();
    if (child.exitCode === null && child.signalCode === null) await ended;
  };
  return {
    child,
    connection: said.connection,
    failure: said.failure,
    close: () => finish(() => child.stdin?.end()),
    kill: () => finish(() => child.kill('SIGKILL')),
  };
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends object>(connection: pg.ClientConfig, sql: string): Promise<Row[]> {
  const client = openClient(connection);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Whether anything answers at an address. */
export async function answers(connection: pg.ClientConfig): Promise<boolean> {
  return query(connection, 'SELECT 1').then(
    () => true,
    () => false,
  );
}

/** The number of the server's first process, from the file that PostgreSQL keeps. */
export async function serverPid(dataFolder: string): Promise<number> {
  const text = await readFile(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8');
  return Number.parseInt(text, 10);
}

/** Waits until a condition is true; the test's own time limit ends it. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(25);
}
