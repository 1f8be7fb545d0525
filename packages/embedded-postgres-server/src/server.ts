import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Binaries } from './binaries.js';
import { endClient, openClient } from './client.js';
import { dropEndpoint, isReusable, listenArguments, makeEndpoint } from './endpoint.js';
import { recordedEndpoint, socketPath, type Endpoint } from './endpoint.js';
import { codeOf, cutLockFileError, folderError, startError } from './errors.js';
import type { Stop } from './options.js';
import { run, underAccount, type OsAccount } from './os-account.js';

// A living server listens within a second; this is for one that hangs.
const listenDeadlineMs = 60_000;
const logLimitBytes = 20 * 1024 * 1024;

/**
 * The result of connecting: a connection, no server, or a server that is not ready: it accepts no connections
 * at all (starting, recovering, stopping), or not this one (busy).
 */
export type Attempt = { client: pg.Client } | 'absent' | 'closed' | 'busy';

/** Tries to connect to the server of a cluster. @throws an error of PostgreSQL that waiting does not fix */
export async function tryConnect(address: Endpoint, { name, password }: Login): Promise<Attempt> {
  const client = openClient({
    ...address,
    user: name,
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5000,
    application_name: `${name} presence`,
  });
  try {
    await client.connect();
    return { client };
  } catch (error) {
    await endClient(client);
    const code = codeOf(error);
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'absent';
    if (code === '57P03') return 'closed';
    if (/^(57P0[12]|53300|ECONNRESET|EPIPE|EAGAIN)$/.test(code) || isSilence(error)) return 'busy';
    // A stale postmaster.pid may name a loopback port that belongs to another server by now.
    if (!address.host.startsWith('/') && /^(28|3D)/.test(code)) return 'absent';
    throw error;
  }
}

/** The superuser's name, which is the program's, and password. */
export interface Login {
  name: string;
  password: string;
}

/** What is needed to run the server of a data folder. */
export interface ServerDeps extends Login {
  account: OsAccount;
  binaries: Binaries;
  /** It contains the log. */
  dataFolder: string;
  /** The folder of the cluster itself; it need not be inside the data folder. */
  cluster: string;
  stop: Stop;
}

/**
 * Starts the server and waits until it listens or has ended. The caller then connects to the address in
 * postmaster.pid, because another process may have been faster.
 *
 * @param former where an earlier server listened; processes that outlived it look for it there
 * @throws EmbeddedError with the end of the log when the server cannot start
 */
export async function startPostgres(server: ServerDeps, former: Endpoint | undefined): Promise<void> {
  const { name, account, binaries, dataFolder, cluster } = server;
  const log = await openLog(dataFolder).catch(async (error) => {
    throw await folderError(dataFolder, error);
  });
  const address = former && (await isReusable(former, account)) ? former : await makeEndpoint(account, name);
  const args = ['-D', cluster, ...listenArguments(address)];
  const [file, fileArgs, spawnOptions] = underAccount(account, binaries.postgres, args);
  // Detached: Ctrl-C in the terminal goes to the whole process group, and others may be using the server.
  const child = spawn(file, fileArgs, { ...spawnOptions, detached: true, stdio: ['ignore', log.fd, log.fd] });
  child.unref();
  const end = new Promise<'ended'>((resolve) => {
    child.once('exit', () => resolve('ended'));
    child.once('error', () => resolve('ended'));
  });
  await log.close();

  const deadline = Date.now() + listenDeadlineMs;
  for (;;) {
    const attempt = await tryConnect(address, server);
    if (attempt !== 'absent') {
      if (attempt !== 'closed' && attempt !== 'busy') await endClient(attempt.client);
      return;
    }
    if ((await Promise.race([end, sleep(25)])) === 'ended') break;
    if (Date.now() > deadline || server.stop.atOnce.aborted) child.kill('SIGQUIT');
  }
  const folderVanished = address.host.startsWith('/') && !existsSync(address.host);
  if (address !== former) await dropEndpoint(address, name);
  // The process that stopped the server before has just removed its folder.
  if (!folderVanished) await judge(await readTail(log.path, log.start), log.path, server);
}

/** The server has ended at once. Returns when starting again, or joining, may succeed. */
async function judge(output: string, logFile: string, server: ServerDeps): Promise<void> {
  const { cluster, dataFolder } = server;
  // The children of a killed server live a little longer.
  if (output.includes('pre-existing shared memory block')) return void (await sleep(200));
  if (!/lock file .* already exists|postmaster\.pid/.test(output))
    throw startError(dataFolder, logFile, output);
  // A living server listens from its first moments until it is gone; a process that only has the number of a
  // dead one never does. PostgreSQL still checks the cluster's shared memory before it trusts this.
  const pidFile = join(cluster, 'postmaster.pid');
  const before = await readFile(pidFile, 'utf8').catch(() => '');
  for (let wait = 0; wait < 20; wait += 1) {
    if (!existsSync(pidFile)) return;
    const address = await recordedEndpoint(cluster);
    const attempt = address ? await tryConnect(address, server) : 'absent';
    if (attempt === 'closed' || attempt === 'busy') return;
    if (attempt !== 'absent') return endClient(attempt.client);
    await sleep(100);
  }
  if (before !== (await readFile(pidFile, 'utf8').catch(() => ''))) return;
  const address = await recordedEndpoint(cluster);
  if (!address) {
    // Without the key of the shared memory PostgreSQL could not see the children of a dead server any more.
    if (/lock file .* is empty|bogus data in lock file/.test(output)) throw cutLockFileError(pidFile);
    // Another process is starting the server, and has not written yet where it will listen.
    return;
  }
  await rm(pidFile, { force: true });
  if (address.host.startsWith('/')) await rm(`${socketPath(address)}.lock`, { force: true });
}

/**
 * Stops the server; returns when it has written everything to disk, or at once when `atOnce` is aborted: then
 * it has ended without its last checkpoint, and the next start replays the log.
 */
export async function stopPostgres(
  { name, account, binaries, cluster }: ServerDeps,
  atOnce: AbortSignal,
): Promise<void> {
  const address = await recordedEndpoint(cluster);
  const stop = (mode: string, seconds: number, signal?: AbortSignal) =>
    run(account, binaries.pgCtl, ['stop', '-D', cluster, '-m', mode, '-w', '-t', String(seconds)], signal);
  const orderly = atOnce.aborted ? undefined : await stop('fast', 120, atOnce);
  const { error, output } = !orderly || orderly.error ? await stop('immediate', 5) : orderly;
  if (error && (await recordedEndpoint(cluster)))
    throw new Error(`stopping the embedded PostgreSQL failed: ${output || error.message}`);
  if (address) await dropEndpoint(address, name);
}

async function openLog(dataFolder: string) {
  const path = join(dataFolder, 'postgres.log');
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > logLimitBytes) await truncate(path);
  const file = await open(path, 'a', 0o600);
  // Root may start a cluster for the user who owns the folder, and that user may run the next start.
  const owner = await stat(dataFolder);
  if (process.getuid?.() === 0) await chown(path, owner.uid, owner.gid);
  return { fd: file.fd, close: () => file.close(), path, start: size > logLimitBytes ? 0 : size };
}

async function readTail(path: string, start: number): Promise<string> {
  return (await readFile(path)).subarray(start).toString('utf8');
}

// pg gives these no code: the server hung up, or accepted the connection and does not answer.
function isSilence(error: unknown): boolean {
  return error instanceof Error && /^(Connection terminated|timeout expired)/.test(error.message);
}
