import { execFileSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { startProcess } from '../harness/processes.js';

/** A server that is measured. */
export interface Peer {
  name: string;
  port: number;
  child: ChildProcess;
  /** Whether it speaks the gateway's schema, or PostGraphile's. */
  speaks: 'ours' | 'theirs';
}

const source = new URL('../peers/postgraphile/', import.meta.url);
// Beside the data of benchmarks, outside of the checkout: neither is a dependency of the gateway.
const folder = join(tmpdir(), 'moraine-bench', 'postgraphile');
const node = join(folder, 'node_modules', '.bin', 'node');
const port = (index: number) => 4720 + index;
const originOf = (number: number) => `http://127.0.0.1:${number}/graphql`;

/** Brings PostGraphile and a Node that it runs on, once for each version. */
async function install(): Promise<void> {
  const wanted = await readFile(new URL('package.json', source), 'utf8');
  const held = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '');
  await cp(source, folder, { recursive: true });
  if (held === wanted && existsSync(node)) return;
  console.log('installing PostGraphile and its Node (once)…');
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' });
}

/** The gateway of a checkout that is built. */
export async function startGateway(
  name: string,
  checkout: string,
  env: Record<string, string>,
  index: number,
): Promise<Peer> {
  const quiet = { LOG_LEVEL: 'error', SAMPLE: 'off', RATE_LIMITS: 'off', WORKER: 'off', DATABASE_POOL: '4' };
  const clients = { TRUSTED_PROXIES: '127.0.0.1' };
  const child = await startProcess(
    [`${checkout}/bin/moraine.mjs`, 'serve'],
    { ...env, ...quiet, ...clients, PORT: String(port(index)) },
    originOf(port(index)),
  );
  return { name, port: port(index), child, speaks: 'ours' };
}

/** @param options of a pool on the database */
export async function startPostGraphile(options: PoolConfig, index: number): Promise<Peer> {
  await install();
  const { connectionString, host, port: at, user, password, database } = options;
  const pool = JSON.stringify({ connectionString, host, port: at, user, password, database, max: 4 });
  const child = await startProcess(
    [join(folder, 'server.mjs'), String(port(index)), pool],
    { GRAPHILE_ENV: 'production', NODE_ENV: 'production' },
    originOf(port(index)),
    node,
  );
  return { name: 'PostGraphile', port: port(index), child, speaks: 'theirs' };
}
