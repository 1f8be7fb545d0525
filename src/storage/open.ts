import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { shareOf } from '../gate.js';
import { neverStopped, unlessAborted, type Stop } from '../stop.js';
import { openClient } from './connection.js';
import { CONNECT_MS, openConnections } from './connections.js';
import { joinEmbedded } from './embedded/join.js';
import { isUnavailable, messageOf, StorageError } from './errors.js';
import { checkMigrated, migrate } from './migrate.js';
import { openReplicas } from './replicas.js';
import { isReadOnly } from './replication.js';
import { readServerVersion } from './server-version.js';
import type { Connection } from './session.js';
import { Shares } from './share.js';
import type { Storage } from './storage.js';
import { WholeStorage } from './whole-storage.js';

export type { Storage } from './storage.js';

type StorageConfig = Pick<
  Config,
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'DATABASE_POOL'
  | 'STATEMENT_TIMEOUT_MS'
  | 'MIGRATE'
  | 'READ_DATABASE_URLS'
  | 'READ_MAX_LAG_MS'
>;

interface JoinedServer {
  connection: pg.ClientConfig;
  description: string;
  url: string;
  /** A hot standby. */
  follows: boolean;
  leave: () => Promise<void>;
}

/** Statements of one caller that may wait for its share of the pool. */
const WAITING_STATEMENTS = 1000;
/** Milliseconds that work beside the pool waits for its connection, and for each statement. */
const ASIDE_MS = 1500;

/**
 * Opens the database: that of DATABASE_URL, else the embedded one in DATA_DIR. Migrates it, or with MIGRATE=off checks
 * that it is migrated.
 *
 * @throws StorageError with a message for the operator; Stopped when the stop was asked for meanwhile
 */
export async function openStorage(
  config: StorageConfig,
  log: Logger,
  stop: Stop = neverStopped,
): Promise<Storage> {
  const server = config.DATABASE_URL
    ? await unlessAborted(stop.asked, useServer(config.DATABASE_URL, config))
    : await useEmbedded(config, log, stop);
  try {
    await unlessAborted(
      stop.asked,
      config.MIGRATE === 'auto'
        ? migrate(server.connection, { log })
        : checkMigrated(server.connection).then(() => []),
    );
  } catch (error) {
    await server.leave();
    throw error;
  }
  const { pool, prisma, close: closePool } = openConnections(server.connection, config, log);
  const replicas = openReplicas(server.connection, config, log);
  const shares = new Shares({
    most: shareOf(config.DATABASE_POOL, Math.ceil),
    waiting: WAITING_STATEMENTS,
    patience: CONNECT_MS,
  });
  async function close(): Promise<void> {
    await Promise.all([closePool(stop.atOnce), replicas.close(stop.atOnce)]);
    await server.leave();
  }
  const { description, url, follows } = server;
  const aside: Storage['aside'] = (work) => runAside(server.connection, work);
  return new WholeStorage({ pool, prisma, shares, replicas, description, url, follows, aside, close });
}

async function runAside<T>(
  connection: pg.ClientConfig,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const bounds = { connectionTimeoutMillis: ASIDE_MS, query_timeout: ASIDE_MS };
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
  return { connection, description, url, follows: false, leave };
}

async function useServer(url: string, { MIGRATE }: StorageConfig): Promise<JoinedServer> {
  const client = openClient({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  const where = `${client.host}:${client.port}/${client.database}`;
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(
      `SELECT current_setting('server_version') AS version`,
    );
    const description = `PostgreSQL ${readServerVersion(rows[0]?.version, where)} at ${where}`;
    const follows = await isReadOnly(client);
    if (MIGRATE === 'auto' && follows) throw new StorageError(readOnlyServer(where));
    return {
      connection: { connectionString: url },
      description,
      url,
      follows,
      leave: () => Promise.resolve(),
    };
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const hint = isUnavailable(error) ? ' Is the server running, and reachable from here?' : '';
    throw new StorageError(
      `The database of DATABASE_URL (${where}) cannot be used: ${messageOf(error)}.${hint}`,
      {
        cause: error,
      },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

function readOnlyServer(where: string): string {
  return (
    `The database of DATABASE_URL (${where}) is read-only, a hot standby perhaps: it cannot be brought up to date. ` +
    'To serve from it, start with MIGRATE=off; otherwise name its primary.'
  );
}
