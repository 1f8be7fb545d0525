import { execFileSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { NO_WORSE, type Other } from '../harness/against.js';
import { dataFolder } from '../harness/database.js';
import { originOf, startGateway } from '../harness/gateway.js';
import { startProcess } from '../harness/processes.js';
import { GOALS, type Goals } from './report.js';

/** A server that is measured. */
export interface Peer {
  name: string;
  port: number;
  child: ChildProcess;
  /** The process of its PostgreSQL server. */
  server: number;
  /** Whether it has the gateway's schema, or PostGraphile's. */
  speaks: 'ours' | 'theirs';
  goals: Goals;
}

/** Compared with another commit. */
const COMMIT: Goals = { node: 1 - NO_WORSE, rate: 1 - NO_WORSE, p99: 1 + NO_WORSE };

const source = new URL('../peers/postgraphile/', import.meta.url);
// Next to the data of benchmarks, outside of the checkout: neither is a dependency of the gateway.
const folder = join(tmpdir(), 'moraine-bench', 'postgraphile');
const node = join(folder, 'node_modules', '.bin', 'node');
const port = (index: number) => 4720 + index;

/** Downloads PostGraphile and a Node for it, once for each version. */
async function install(): Promise<void> {
  const wanted = await readFile(new URL('package.json', source), 'utf8');
  const held = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '');
  await cp(source, folder, { recursive: true });
  if (held === wanted && existsSync(node)) return;
  console.log('installing PostGraphile and its Node (once)…');
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' });
}

/** The gateway of a checkout that is built. @param server the process of the database's server */
export async function startPeer(
  name: string,
  checkout: string,
  env: Record<string, string>,
  index: number,
  server: number,
): Promise<Peer> {
  const { child } = await startGateway(checkout, { ...env, DATABASE_POOL: '4' }, port(index));
  return { name, port: port(index), child, server, speaks: 'ours', goals: COMMIT };
}

/** The gateway of another checkout with the sample in a database of its own, which stays between runs. */
export async function startOther(other: Other, index: number): Promise<Peer> {
  const data = dataFolder('graphql', other);
  await mkdir(data, { recursive: true });
  const peer = await startPeer(other.name, other.checkout, { DATA_DIR: data, SAMPLE: 'on' }, index, NaN);
  const [pid] = (await readFile(join(data, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  return { ...peer, server: Number(pid) };
}

/** @param options of a pool on the database, whose server is that process */
export async function startPostGraphile(options: PoolConfig, index: number, server: number): Promise<Peer> {
  await install();
  const { connectionString, host, port: at, user, password, database } = options;
  const pool = JSON.stringify({ connectionString, host, port: at, user, password, database, max: 4 });
  const child = await startProcess(
    [join(folder, 'server.mjs'), String(port(index)), pool],
    { GRAPHILE_ENV: 'production', NODE_ENV: 'production' },
    `${originOf(port(index))}/graphql`,
    node,
  );
  return { name: 'PostGraphile', port: port(index), child, server, speaks: 'theirs', goals: GOALS };
}
