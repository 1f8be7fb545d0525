import { join } from 'node:path';
import type pg from 'pg';
import { findBinaries } from './binaries.js';
import { clusterFolder, clusterOwner, createCluster, makeDataFolder, readMajor } from './cluster.js';
import { reachableFolder, readPassword } from './cluster.js';
import { sweepDrafts } from './drafts.js';
import { codeOf, otherMajorError, ownerError } from './errors.js';
import { neverStopped, type ServerOptions, type Stop } from './options.js';
import { chooseAccount, type FileOwner } from './os-account.js';
import { becomePresent, stayPresent, type LoggedServerDeps } from './presence.js';
import { startWatchdog } from './watchdog.js';

/** A running server that this process uses. */
export interface RunningServer {
  /** `host` is a folder for a Unix socket, else a loopback address. */
  connection: { host: string; port: number; user: string; password: string; database: string; ssl: false };
  /** Version of the programs, for example "18.4". */
  version: string;
  /** Ends this process's presence, and stops the server when no other process is present. */
  leave: () => Promise<void>;
}

/**
 * Joins the server of a data folder; first makes the cluster and starts the server if needed.
 *
 * @throws EmbeddedError; the reason of the signal when it was stopped meanwhile, and no server of ours is
 *   left
 */
export async function joinServer(options: ServerOptions): Promise<RunningServer> {
  const { name, dataFolder, stop = neverStopped } = options;
  // It becomes a part of file names and of a statement.
  if (!/^[a-z][a-z_]{0,30}$/.test(name)) throw new TypeError(`not a name of a program: ${name}`);
  await makeDataFolder(dataFolder);
  const server = await prepareServer(options, stop);
  // Before the server is started, so that there is no moment in which it would be left behind.
  const endWatchdog = startWatchdog(server);
  const { client, address } = await becomePresent(server, { givenUp: stop.asked }).catch((error: unknown) => {
    endWatchdog();
    throw error;
  });
  const end = stayPresent(server, { client, address });
  const leave = () => end().finally(endWatchdog);
  try {
    await makeDatabase(client, name);
    stop.asked.throwIfAborted();
  } catch (error) {
    await leave();
    throw error;
  }
  return {
    connection: { ...address, user: name, password: server.password, database: name, ssl: false },
    version: server.binaries.version,
    leave,
  };
}

async function prepareServer(options: ServerOptions, stop: Stop): Promise<LoggedServerDeps> {
  const { name, dataFolder, log, settings = {}, sharedRoot = `/var/lib/${name}` } = options;
  const owner = await clusterOwner(dataFolder);
  if (owner) await refuseForeign(join(dataFolder, 'postgres'), owner);
  const account = await chooseAccount(owner, options);
  const home = await reachableFolder(account, dataFolder, sharedRoot);
  await sweepDrafts(home).catch((error: unknown) =>
    log.warn({ err: error }, 'the files of an interrupted first start could not be removed'),
  );
  const binaries = await findBinaries(account, home, options);
  stop.asked.throwIfAborted();
  if (!owner) {
    log.info({ folder: join(home, 'postgres') }, 'first start: creating the embedded PostgreSQL');
    if (home !== dataFolder)
      log.warn({}, `the user that runs PostgreSQL cannot reach ${dataFolder}: the data is stored in ${home}`);
    await createCluster({ name, account, binaries, dataFolder, home, settings, stop });
  }
  const cluster = await clusterFolder(dataFolder);
  await refuseOtherMajor(cluster, dataFolder, binaries.version);
  const password = await readPassword(dataFolder, name);
  return { name, password, account, binaries, dataFolder, cluster, log, stop };
}

async function refuseForeign(cluster: string, owner: FileOwner): Promise<void> {
  const uid = process.getuid?.();
  if (uid !== undefined && uid !== 0 && uid !== owner.uid) throw await ownerError(cluster, owner.uid);
}

// PostgreSQL reads no files of another major version.
async function refuseOtherMajor(cluster: string, dataFolder: string, version: string): Promise<void> {
  const made = await readMajor(cluster);
  const [present = ''] = version.split('.');
  if (made !== undefined && made !== present) throw otherMajorError(dataFolder, made, present);
}

async function makeDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount) return;
  try {
    await client.query(`CREATE DATABASE "${name}"`);
  } catch (error) {
    // Another process made it meanwhile.
    if (!['42P04', '23505'].includes(codeOf(error))) throw error;
  }
}
