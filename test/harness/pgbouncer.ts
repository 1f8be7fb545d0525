import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, isRoot, nobody, temporaryFolder } from './embedded.js';
import { freePort } from './free-port.js';
import { openProxy } from './proxy.js';

/** The program that tests use: TEST_PGBOUNCER, or the one in PATH. */
const binary = process.env['TEST_PGBOUNCER'] || 'pgbouncer';
/** "1.25.2"; undefined when it is not installed. */
export const pgbouncerVersion = /PgBouncer (\d+\.\d+\S*)/.exec(
  spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout ?? '',
)?.[1];

const isOld = pgbouncerVersion !== undefined && Number(pgbouncerVersion.split('.')[1]) < 21;

/** Why tests that need PgBouncer are skipped; undefined when they run. With CI set they run and fail. */
export const pgbouncerMissing =
  (pgbouncerVersion ?? process.env['CI'])
    ? undefined
    : 'pgbouncer is not installed (Debian: apt install pgbouncer)';
/** Why tests that need a supported version are skipped; undefined when they run. */
export const pgbouncerTooOld =
  pgbouncerMissing ??
  (isOld ? `pgbouncer is ${pgbouncerVersion}, 1.21 is needed: set TEST_PGBOUNCER to a newer one` : undefined);
/** Why tests that need a version that is too old are skipped. */
export const pgbouncerTooNew =
  pgbouncerMissing ?? (isOld ? undefined : `pgbouncer is ${pgbouncerVersion}, which is not too old`);

/** Server connections that it may have for each database. */
export const POOL = 4;

/** A PgBouncer of its own before a server, on a free loopback port, in transaction mode. */
export interface TestPooler {
  port: number;
  stop: () => Promise<void>;
}

/** The address of a database through a pooler. */
export function through(port: number, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}

export interface PoolerOptions {
  /** Of its section [pgbouncer], over the usual ones. */
  settings?: Record<string, string | number>;
}

/** Starts one before the server of this address. */
export async function startPgBouncer(
  serverUrl: string,
  { settings = {} }: PoolerOptions = {},
): Promise<TestPooler> {
  // It refuses to run as root, and the Unix socket of the test server may be root's alone.
  const server = await openProxy(serverUrl);
  const { hostname, port: serverPort, username, password } = new URL(server.url);
  const user = decodeURIComponent(username);
  const folder = await temporaryFolder();
  const port = await freePort();
  const users = join(folder.path, 'users.txt');
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    stats_users: user,
    pool_mode: 'transaction',
    default_pool_size: POOL,
    max_prepared_statements: 200,
    max_client_conn: 1000,
    server_check_delay: 0,
    ...settings,
  };
  // An older one ends at a setting that it does not know.
  const known = Object.entries(all).filter(([name]) => name !== 'max_prepared_statements' || !isOld);
  const file = join(folder.path, 'pgbouncer.ini');
  await writeFile(users, `"${user}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    file,
    `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n` +
      known.map(([name, value]) => `${name} = ${value}\n`).join(''),
  );
  await Promise.all([users, file].map((path) => chmod(path, 0o644)));
  const child = spawn(binary, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...(isRoot && nobody) });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (bytes) => (said = String(bytes)));
  while (!(await answers({ connectionString: through(port, serverUrl) })))
    if (child.exitCode !== null) throw new Error(`${binary} ended at start: ${said}`);
  return {
    port,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await server.close();
      await folder.drop();
    },
  };
}
