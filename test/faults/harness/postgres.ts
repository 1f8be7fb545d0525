import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries, type Binaries } from '../../../packages/embedded-postgres-server/src/binaries.js';
import { readPassword } from '../../../packages/embedded-postgres-server/src/cluster.js';
import {
  chooseAccount,
  underAccount,
  type OsAccount,
} from '../../../packages/embedded-postgres-server/src/os-account.js';
import { freePort } from '../../harness/free-port.js';
import { roomyFolder } from '../../harness/roomy-folder.js';
import { openClient } from '../../../src/storage/connection.js';

/** A PostgreSQL server of one test, on a loopback port. */
export interface PostgresServer {
  /** Of the database "moraine". */
  url: string;
  port: number;
  /** The folder that holds the cluster's. */
  folder: string;
  /** Starts it where it was, unless it runs. */
  start: () => Promise<void>;
  /** Ends the server and everything that belongs to it, as `kill -9` does. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
  /** Stops the server and its child processes, like SIGSTOP, until `thaw`. */
  freeze: () => Promise<void>;
  thaw: () => Promise<void>;
  query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;
  /** Stops it and removes its folder. */
  drop: () => Promise<void>;
}

// A crash of processes loses nothing that was passed to the system: fsync is for crashes of machines.
const settings = {
  fsync: 'off',
  shared_buffers: '32MB',
  max_connections: '120',
  min_wal_size: '32MB',
  max_wal_size: '64MB',
  wal_keep_size: '64MB',
  restart_after_crash: 'on',
};

interface Programs {
  account: OsAccount;
  binaries: Binaries;
}

let programs: Promise<Programs> | undefined;

async function findPrograms(): Promise<Programs> {
  const account = await chooseAccount(undefined);
  return { account, binaries: await findBinaries(account, join(tmpdir(), 'moraine-programs')) };
}

/**
 * Runs a copy of the stopped cluster in `from`.
 *
 * @param into an empty folder for it; a new one by default
 */
export async function copyPostgres(
  from: string,
  { into, more }: { into?: string; more?: Record<string, string> } = {},
): Promise<PostgresServer> {
  const folder = into ?? (await newFolder());
  await cp(join(from, 'postgres'), join(folder, 'postgres'), { recursive: true, preserveTimestamps: true });
  return runPostgres(folder, more);
}

/** Runs the cluster in `folder`. */
export async function runPostgres(
  folder: string,
  more: Record<string, string> = {},
): Promise<PostgresServer> {
  const cluster = join(folder, 'postgres');
  const port = await freePort();
  const url = `postgresql://moraine:${await readPassword(folder, 'moraine')}@127.0.0.1:${port}/moraine`;
  const { account, binaries } = await (programs ??= findPrograms());
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    if (child && !hasEnded(child)) return;
    const options = { ...settings, ...more, listen_addresses: '127.0.0.1', port: String(port) };
    const args = Object.entries({ ...options, unix_socket_directories: '' }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const log = await open(join(folder, 'server.log'), 'a', 0o644);
    const [file, fileArgs, spawnOptions] = underAccount(account, binaries.postgres, ['-D', cluster, ...args]);
    const started = spawn(file, fileArgs, { ...spawnOptions, stdio: ['ignore', log.fd, log.fd] });
    child = started;
    await log.close();
    for (let attempt = 0; !(await answers(url)); attempt += 1) {
      if (hasEnded(started) || attempt > 1000)
        throw new Error(
          `PostgreSQL did not start:\n${await readFile(join(folder, 'server.log'), 'utf8').catch(String)}`,
        );
      await sleep(30);
    }
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || hasEnded(child)) return;
    const exit = once(child, 'exit');
    await signalAll(child, signal, signal === 'SIGKILL');
    await exit;
  }
  const server: PostgresServer = {
    url,
    port,
    folder,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    freeze: async () => child && signalAll(child, 'SIGSTOP'),
    thaw: async () => child && signalAll(child, 'SIGCONT'),
    query: (sql, values) => execute(server, sql, values),
    async drop() {
      await server.thaw();
      await end('SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
  await start();
  return server;
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(await roomyFolder(), 'moraine-fault-'));
  await chmod(folder, 0o711);
  return folder;
}

/** Runs one statement on a connection of its own. */
export async function execute<Row extends object>(
  { url }: { url: string },
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = openClient({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

// "moraine" may not exist yet: that the server says so is an answer too.
function answers(url: string): Promise<boolean> {
  return execute({ url }, 'SELECT 1').then(
    () => true,
    (error: { code?: string }) => error.code === '3D000',
  );
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** @param whole also stops its children; it starts new ones unless it is stopped first */
async function signalAll(child: ChildProcess, signal: NodeJS.Signals, whole = true): Promise<void> {
  const before = whole ? await childrenOf(child.pid) : [];
  child.kill(signal);
  const family = whole ? [...before, ...(await childrenOf(child.pid))] : [];
  for (const pid of new Set(family)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

async function childrenOf(pid: number | undefined): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}
