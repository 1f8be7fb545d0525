import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { neverStopped, type Stop } from '../../stop.js';
import { chooseAccount, type OsAccountOptions, type FileOwner } from './os-account.js';
import { findBinaries, type BinariesOptions } from './binaries.js';
import { clusterFolder, clusterOwner, createCluster, makeDataFolder, readMajor } from './cluster.js';
import { reachableFolder, readPassword, superuser } from './cluster.js';
import { sweepDrafts } from './drafts.js';
import { otherMajorError, ownerError } from './failure.js';
import { becomePresent, stayPresent, type ServerPlace } from './presence.js';
import { clusterSettings } from './settings.js';
import { codeOf } from '../errors.js';

const sharedRoot = '/var/lib/moraine';

export interface EmbeddedOptions extends OsAccountOptions, BinariesOptions {
  /** DATA_DIR, absolute. */
  dataFolder: string;
  log: Logger;
  stop?: Stop;
  /** Server settings of a new cluster, which override the usual ones. */
  settings?: Record<string, string>;
  /** Where the cluster is made if the server's user cannot reach the data folder. */
  sharedRoot?: string;
}

/** A running server that this process uses. */
export interface EmbeddedServer {
  connection: { host: string; port: number; user: string; password: string; database: string; ssl: false };
  /** Version of the programs, for example "18.4". */
  version: string;
  /** Ends this process's presence, and stops the server when no other process is present. */
  leave: () => Promise<void>;
}

/**
 * Joins the server of a data folder; first makes the cluster and starts the server if needed.
 *
 * @throws StorageError that says what is in the way and what helps; Stopped when it was stopped meanwhile, and no
 * server of ours is left
 */
export async function joinEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataFolder, stop = neverStopped } = options;
  await makeDataFolder(dataFolder);
  const place = await preparePlace(options, stop);
  const password = await readPassword(dataFolder);
  const { client, address } = await becomePresent(place, password, { givenUp: stop.asked });
  const leave = stayPresent(place, password, { client, address });
  try {
    await makeDatabase(client);
    stop.asked.throwIfAborted();
  } catch (error) {
    await leave();
    throw error;
  }
  return {
    connection: { ...address, user: superuser, password, database: 'moraine', ssl: false },
    version: place.binaries.version,
    leave,
  };
}

async function preparePlace(options: EmbeddedOptions, stop: Stop): Promise<ServerPlace> {
  const { dataFolder, log } = options;
  const owner = await clusterOwner(dataFolder);
  if (owner) await refuseForeign(join(dataFolder, 'postgres'), owner);
  const account = await chooseAccount(owner, options);
  const home = await reachableFolder(account, dataFolder, options.sharedRoot ?? sharedRoot);
  await sweepDrafts(home).catch((error: unknown) =>
    log.warn({ err: error as Error }, 'the files that a killed first start left behind could not be removed'),
  );
  const binaries = await findBinaries(account, home, options);
  stop.asked.throwIfAborted();
  if (!owner) {
    log.info({ folder: join(home, 'postgres') }, 'first start: creating the embedded PostgreSQL');
    if (home !== dataFolder)
      log.warn(`the user that runs PostgreSQL cannot reach ${dataFolder}: the data is stored in ${home}`);
    const settings = { ...clusterSettings, ...options.settings };
    await createCluster({ account, binaries, dataFolder, home, settings, stop });
  }
  const cluster = await clusterFolder(dataFolder);
  await refuseOtherMajor(cluster, dataFolder, binaries.version);
  return { account, binaries, dataFolder, cluster, log, stop };
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

async function makeDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`SELECT 1 FROM pg_database WHERE datname = 'moraine'`);
  if (rowCount) return;
  try {
    await client.query('CREATE DATABASE moraine');
  } catch (error) {
    // Another process made it meanwhile.
    if (!['42P04', '23505'].includes(codeOf(error))) throw error;
  }
}
