import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDatabase } from '../../harness/database.js';

const program = fileURLToPath(new URL('../../../bin/moraine.mjs', import.meta.url));

/**
 * A gateway as it is run for others: a process of its own from the built program, with the sample in its
 * database.
 */
export interface Gateway {
  port: number;
  url: string;
  databaseUrl: string;
  /** Keys of the plans free and pro. */
  keys: readonly string[];
  /** Lines of its log of level error or worse. */
  faults: () => readonly string[];
  lives: () => boolean;
  /** A figure of /metrics. */
  metric: (name: string) => Promise<number>;
  /** Bytes of memory: now, and the most there ever were. */
  memory: () => { now: number; peak: number };
  /** Open sockets but those of the database pool, and all other open files. */
  handles: () => Promise<{ sockets: number; files: number }>;
  /** Stops it and drops its database; the exit code, null when it had to be killed. */
  close: () => Promise<number | null>;
}

/**
 * @param env settings in addition to the database's
 * @param neighbour a gateway whose database and keys this one shares
 */
export async function startGateway(env: Record<string, string> = {}, neighbour?: Gateway): Promise<Gateway> {
  const database = neighbour
    ? { url: neighbour.databaseUrl, drop: () => Promise.resolve() }
    : await createDatabase();
  const settings = {
    PATH: process.env['PATH'],
    PORT: '0',
    LOG_LEVEL: 'error',
    WORKER: 'off',
    // Its own address is on the internet.
    RPC_URLS: '{"43113":"http://127.0.0.1:9"}',
    ...env,
    DATABASE_URL: database.url,
  };
  const child = spawn(process.execPath, [program, 'serve'], {
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const faults: string[] = [];
  const url = await listenTo(child, faults);
  const keys = neighbour?.keys ?? (await Promise.all(['free', 'pro'].map((plan) => makeKey(plan, settings))));
  const metric = (name: string) => readMetric(url, name);
  return {
    port: Number(new URL(url).port),
    url,
    databaseUrl: database.url,
    keys,
    faults: () => faults,
    lives: () => child.exitCode === null && child.signalCode === null,
    metric,
    memory: () => memoryOf(child.pid as number),
    async handles() {
      const pool = await metric('moraine_database_pool_connections');
      const { sockets, files } = filesOf(child.pid as number);
      return { sockets: sockets - pool, files };
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
      const [code] = await exit;
      clearTimeout(late);
      await database.drop();
      return code;
    },
  };
}

async function listenTo(child: ChildProcess, faults: string[]): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code} before it listened`)));
    lines.on('line', (line) => {
      const url = /(http:\/\/127\.0\.0\.1:\d+)\/$/.exec(line)?.[1];
      if (url) resolve(url);
      else if (/"level":[56]0/.test(line)) faults.push(line.slice(0, 2000));
    });
  });
}

async function makeKey(plan: string, env: NodeJS.ProcessEnv): Promise<string> {
  const args = [program, 'keys', 'create', '--plan', plan, '--name', 'hostile'];
  return (await promisify(execFile)(process.execPath, args, { env })).stdout.trim();
}

async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
  const value = text.split('\n').find((line) => line.startsWith(`${name} `));
  if (value === undefined) throw new Error(`/metrics has no ${name}`);
  return Number(value.slice(name.length + 1));
}

function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

function filesOf(pid: number): { sockets: number; files: number } {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((file) => {
    try {
      return readlinkSync(`${folder}/${file}`);
    } catch {
      // Closed since the folder was read.
      return null;
    }
  });
  const open = targets.filter((target) => target !== null);
  const sockets = open.filter((target) => target.startsWith('socket:')).length;
  return { sockets, files: open.length - sockets };
}
