import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { neverStopped, unlessAborted, type Stop } from '../stop.js';
import { openClient, openPool, type ClosablePool } from './connection.js';
import { CONNECT_MS, openConnections } from './connections.js';
import { joinEmbedded } from './embedded.js';
import { checkFiles, isPooled, joinGiven, type JoinedServer } from './given-server.js';
import { listen } from './listen.js';
import { checkMigrated, migrate } from './migrate.js';
import { openReplicas } from './topology/replicas.js';
import { adoptStoredIdentities } from './identities.js';
import type { Connection } from './session.js';
import { ConnectionLimit, connectionsOfCaller } from './connection-limit.js';
import type { Storage } from './storage.js';
import { WholeStorage } from './whole-storage.js';

export type { Storage } from './storage.js';

type StorageConfig = Pick<
  Config,
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'DIRECT_DATABASE_URL'
  | 'DATABASE_POOL'
  | 'STATEMENT_TIMEOUT_MS'
  | 'MIGRATE'
  | 'READ_DATABASE_URLS'
  | 'READ_MAX_LAG_MS'
>;

/** Most statements of one caller that wait for its share of the pool. */
const WAITING_STATEMENTS = 1000;
/** Most sessions at a time, if they have their own pool. */
const MOST_SESSIONS = 4;
/** Milliseconds that work on a spare connection waits for it, and for each statement. */
const SPARE_MS = 1500;

/**
 * Opens the database: that of DATABASE_URL, else the embedded one in DATA_DIR. Migrates it, or with
 * MIGRATE=off checks that it is migrated. The networks' identities that it has are then those of this
 * process.
 *
 * @param beforeMigrating must succeed before a migration is applied; called only if one is missing
 * @throws StorageError with a message for the operator; Stopped when it was stopped meanwhile; what
 *   `beforeMigrating` throws
 */
export async function openStorage(
  config: StorageConfig,
  log: Logger,
  stop: Stop = neverStopped,
  beforeMigrating?: () => Promise<void>,
): Promise<Storage> {
  checkFiles(config);
  const isGiven = config.DATABASE_URL ?? config.DIRECT_DATABASE_URL;
  const server = isGiven
    ? await unlessAborted(stop.asked, joinGiven(config))
    : await useEmbedded(config, log, stop);
  if (server.warning) log.warn(server.warning);
  try {
    await unlessAborted(
      stop.asked,
      config.MIGRATE === 'auto'
        ? migrate(server.connection, { log, before: beforeMigrating })
        : checkMigrated(server.connection).then(() => []),
    );
  } catch (error) {
    await server.leave();
    throw error;
  }
  const storage = storageOn(server, config, log, stop);
  try {
    await unlessAborted(stop.asked, adoptStoredIdentities(storage.prisma));
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** The pools of a server, and the storage that uses them. It connects on first use. */
export function storageOn(
  server: JoinedServer,
  config: StorageConfig,
  log: Logger,
  stop: Stop = neverStopped,
): Storage {
  const { pool, prisma, prepared, close: closePool } = openConnections(server.entrance, config, log);
  // What needs a session goes past a pooler.
  const sessions = isPooled(config) ? openSessions(server.connection, config, log) : undefined;
  const replicas = openReplicas(server.connection, config, log);
  const connectionLimit = new ConnectionLimit({
    running: connectionsOfCaller(config.DATABASE_POOL),
    waiting: WAITING_STATEMENTS,
    timeoutMs: CONNECT_MS,
  });
  async function close(): Promise<void> {
    await Promise.all([closePool(stop.atOnce), replicas.close(stop.atOnce), sessions?.close()]);
    await server.leave();
  }
  const { description, url, follows } = server;
  const spareConnection: Storage['spareConnection'] = (work) => onSpareConnection(server.entrance, work);
  const listenOn: Storage['listen'] = (...channel) => listen(server.connection, ...channel);
  const deps = {
    pool,
    sessions: sessions?.pool,
    prisma,
    prepared,
    connectionLimit,
    replicas,
    spareConnection,
    listen: listenOn,
    close,
  };
  return new WholeStorage({ ...deps, description, url, follows });
}

function openSessions(
  connection: pg.ClientConfig,
  { STATEMENT_TIMEOUT_MS: statementTimeoutMillis }: StorageConfig,
  log: Logger,
): ClosablePool {
  return openPool(
    { ...connection, application_name: 'moraine session' },
    { max: MOST_SESSIONS, connectionTimeoutMillis: CONNECT_MS, statementTimeoutMillis, log },
  );
}

async function onSpareConnection<T>(
  connection: pg.ClientConfig,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const bounds = { connectionTimeoutMillis: SPARE_MS, query_timeout: SPARE_MS };
  const client = openClient({ ...connection, ...bounds, application_name: 'moraine aside' });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function useEmbedded({ DATA_DIR }: StorageConfig, log: Logger, stop: Stop): Promise<JoinedServer> {
  const { connection, version, leave } = await joinEmbedded({ dataFolder: DATA_DIR, log, stop });
  const { host, port, user, password, database } = connection;
  const account = `${user}:${encodeURIComponent(password)}`;
  const url = `postgresql://${account}@${encodeURIComponent(host)}:${port}/${database}?sslmode=disable`;
  const description = `embedded PostgreSQL ${version} in ${DATA_DIR}`;
  return { connection, entrance: connection, description, url, follows: false, leave };
}
