import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';

const binary = 'redis-server';
const installed = spawnSync(binary, ['--version']).status === 0;

/**
 * Why tests that need Redis are skipped; undefined when they run. With CI set they always run, and fail if
 * redis-server is missing.
 */
export const redisMissing =
  installed || process.env['CI'] ? undefined : `${binary} is not installed (Debian: apt install ${binary})`;

/** A Redis server of its own, on a free loopback port. */
export interface TestRedis {
  url: string;
  /** Ends it like a crash. */
  kill: () => Promise<void>;
  /** Starts it again, empty, on the same port. */
  restart: () => Promise<void>;
  /** It keeps its connections and answers nothing. */
  pause: () => void;
  resume: () => void;
  stop: () => Promise<void>;
}

/** Starts a Redis server that keeps nothing on disk. */
export async function startRedis({ password }: { password?: string } = {}): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-redis-'));
  const port = await freePort();
  const url = `redis://${password ? `:${password}@` : ''}127.0.0.1:${port}`;
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder];
  if (password) settings.push('--requirepass', password);
  let server = await launch();

  async function launch(): Promise<ChildProcess> {
    const child = spawn(binary, settings, { stdio: 'ignore' });
    const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${binary} ended at start`)));
    failed.catch(() => undefined);
    await Promise.race([answers(url), failed]);
    return child;
  }
  async function kill(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  return {
    url,
    kill,
    restart: async () => {
      server = await launch();
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  try {
    await client.ping();
  } finally {
    client.disconnect();
  }
}
