import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { StorageError } from '../errors.js';
import { chooseAccount, run, type Account, type AccountOptions, type Owner } from './account.js';
import { recordedAddress, type Address } from './address.js';
import { findBinaries, type Binaries, type BinariesOptions } from './binaries.js';
import { clusterOwner, createCluster, giveTreeTo, makeDataFolder } from './cluster.js';
import { reachableFolder, readPassword, superuser } from './cluster.js';
import { ownerError } from './failure.js';
import { startServer, stopServer, tryConnect } from './server.js';
import { clusterSettings } from './settings.js';

// Any number; one server, one meaning: "a process is using this server".
const presenceLock = '5427831904410362881';
const startDeadlineMs = 60_000;
const sharedRoot = '/var/lib/moraine';

export interface EmbeddedOptions extends AccountOptions, BinariesOptions {
  /** DATA_DIR, absolute. */
  dataFolder: string;
  log: Logger;
  /** Server settings of a new cluster, over the usual ones. */
  settings?: Record<string, string>;
  /** Where the cluster goes when the server's user cannot reach the data folder. */
  sharedRoot?: string;
}

/** A running server that this process takes part in. */
export interface EmbeddedServer {
  connection: { host: string; port: number; user: string; password: string; database: string; ssl: false };
  /** Of the programs here, for example "18.4". */
  version: string;
  /** Takes this process's presence away, and stops the server when no other process is present. */
  leave: () => Promise<void>;
}

interface Place {
  account: Account;
  binaries: Binaries;
  dataFolder: string;
  log: Logger;
}

/**
 * Joins the server of a data folder; makes the cluster and starts the server first where that is needed.
 *
 * @throws StorageError that says what stands in the way and the ways out
 */
export async function joinEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataFolder, log } = options;
  await makeDataFolder(dataFolder);
  const place = await preparePlace(options);
  const password = await readPassword(dataFolder);
  const { client, address } = await becomePresent(place, password);
  const presence = { client, leaving: false };
  client.on('error', (error) => {
    if (!presence.leaving) log.error({ err: error }, 'the embedded PostgreSQL has gone away');
  });
  await makeDatabase(client);
  return {
    connection: { ...address, user: superuser, password, database: 'moraine', ssl: false },
    version: place.binaries.version,
    leave: () => leave(place, presence),
  };
}

async function preparePlace(options: EmbeddedOptions): Promise<Place> {
  const { dataFolder, log } = options;
  const owner = await clusterOwner(dataFolder);
  if (owner) await refuseForeign(join(dataFolder, 'postgres'), owner);
  const account = await chooseAccount(owner, options);
  const home = await reachableFolder(account, dataFolder, options.sharedRoot ?? sharedRoot);
  const binaries = await findBinaries(account, home, options);
  if (!owner) {
    log.info({ folder: join(home, 'postgres') }, 'first start: making the embedded PostgreSQL');
    if (home !== dataFolder)
      log.warn(`the user that PostgreSQL runs as cannot reach ${dataFolder}: the data are kept in ${home}`);
    const settings = { ...clusterSettings, ...options.settings };
    await createCluster({ account, binaries, dataFolder, home, settings });
  }
  return { account, binaries, dataFolder, log };
}

async function refuseForeign(cluster: string, owner: Owner): Promise<void> {
  const uid = process.getuid?.();
  if (uid !== undefined && uid !== 0 && uid !== owner.uid) throw await ownerError(cluster, owner.uid);
}

/** Connects and takes the shared lock; starts the server when nobody answers. */
async function becomePresent(
  place: Place,
  password: string,
): Promise<{ client: pg.Client; address: Address }> {
  const cluster = join(place.dataFolder, 'postgres');
  let deadline = Date.now() + startDeadlineMs;
  while (Date.now() < deadline) {
    const address = await recordedAddress(cluster);
    const attempt = address ? await tryConnect(address, password) : 'absent';
    if (attempt === 'not ready') {
      // Recovery after a crash takes as long as it takes, and the server says so.
      deadline = Date.now() + startDeadlineMs;
      await sleep(50);
    } else if (attempt === 'absent') {
      if (place.account.kind === 'user' && (await clusterOwner(place.dataFolder))?.uid === 0)
        await giveTreeTo(place.account, cluster);
      await startServer({ ...place, password });
    } else if (address && (await takeLock(attempt.client))) {
      return { client: attempt.client, address };
    }
  }
  throw new StorageError(
    `The embedded PostgreSQL in ${place.dataFolder} did not accept connections within ${startDeadlineMs / 1000} s; ` +
      `see ${join(place.dataFolder, 'postgres.log')}.`,
  );
}

// Fails when the last process out is just stopping the server: it holds the lock for itself until the end.
async function takeLock(client: pg.Client): Promise<boolean> {
  const ignore = () => undefined;
  client.on('error', ignore);
  try {
    await client.query(`SELECT pg_advisory_lock_shared(${presenceLock})`);
    return true;
  } catch {
    await client.end().catch(ignore);
    return false;
  } finally {
    client.off('error', ignore);
  }
}

async function makeDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`SELECT 1 FROM pg_database WHERE datname = 'moraine'`);
  if (rowCount) return;
  try {
    await client.query('CREATE DATABASE moraine');
  } catch (error) {
    // Another process made it meanwhile.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

async function leave(place: Place, presence: { client: pg.Client; leaving: boolean }): Promise<void> {
  presence.leaving = true;
  const { client } = presence;
  try {
    await client.query(`SELECT pg_advisory_unlock_shared(${presenceLock})`);
    const { rows } = await client.query<{ last: boolean }>(
      `SELECT pg_try_advisory_lock(${presenceLock}) AS last`,
    );
    if (rows[0]?.last) await stopServer(place, (file, args) => run(place.account, file, args));
  } catch (error) {
    // A server that is gone already needs no stopping.
    place.log.warn({ err: error as Error }, 'leaving the embedded PostgreSQL');
  } finally {
    await client.end().catch(() => undefined);
  }
}
