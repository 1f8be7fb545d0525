import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { neverStopped, unlessAborted, within, type Stop } from '../stop.js';
import { PrismaClient } from '../generated/prisma/client.js';
import { joinEmbedded } from './embedded/join.js';
import { isUnavailable, StorageError } from './errors.js';
import { checkMigrated, migrate } from './migrate.js';
import { read, type Statement } from './read.js';
import { readServerVersion } from './server-version.js';

/** The open database. */
export interface Storage {
  /** Shared by Prisma and the hot reads. */
  pool: pg.Pool;
  prisma: PrismaClient;
  /** A hot read: a named prepared statement on the pool. */
  read: <Row extends object>(statement: Statement, values: unknown[]) => Promise<Row[]>;
  /** Ends every connection; stops the embedded server when no other process uses it. Once is enough. */
  close: () => Promise<void>;
  /** For people: which database this is, without its password. */
  description: string;
}

type StorageConfig = Pick<
  Config,
  'DATA_DIR' | 'DATABASE_URL' | 'DATABASE_POOL' | 'STATEMENT_TIMEOUT_MS' | 'MIGRATE'
>;

interface Server {
  connection: pg.ClientConfig;
  description: string;
  leave: () => Promise<void>;
}

/** Milliseconds that connections may take to end; whoever closes no longer wants what they still do. */
const endMs = 1000;
// Longer than a burst lasts, shorter than a caller's patience; past it the request is answered 503.
const connectionTimeoutMillis = 3000;

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
    ? await unlessAborted(stop.asked, useServer(config.DATABASE_URL))
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
  const pool = new pg.Pool({
    ...server.connection,
    application_name: 'moraine',
    max: config.DATABASE_POOL,
    connectionTimeoutMillis,
    statement_timeout: config.STATEMENT_TIMEOUT_MS,
  });
  // Its absence kills the process when an idle connection breaks.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });

  let closing: Promise<void> | undefined;
  async function endConnections(): Promise<void> {
    await prisma.$disconnect();
    // $disconnect leaves a pool that it was given open.
    await pool.end();
  }
  async function close(): Promise<void> {
    await unlessAborted(stop.atOnce, within(endMs, endConnections())).catch((error: unknown) =>
      log.warn({ err: error }, 'database connections are dropped in the middle of a statement'),
    );
    await server.leave();
  }
  return {
    pool,
    prisma,
    read: (statement, values) => read(pool, statement, values),
    close: () => (closing ??= close()),
    description: server.description,
  };
}

async function useEmbedded({ DATA_DIR }: StorageConfig, log: Logger, stop: Stop): Promise<Server> {
  const { connection, version, leave } = await joinEmbedded({ dataFolder: DATA_DIR, log, stop });
  return { connection, description: `embedded PostgreSQL ${version} in ${DATA_DIR}`, leave };
}

async function useServer(url: string): Promise<Server> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  const where = `${client.host}:${client.port}/${client.database}`;
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(
      `SELECT current_setting('server_version') AS version`,
    );
    const description = `PostgreSQL ${readServerVersion(rows[0]?.version, where)} at ${where}`;
    return { connection: { connectionString: url }, description, leave: () => Promise.resolve() };
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const hint = isUnavailable(error) ? ' Is the server running, and reachable from here?' : '';
    throw new StorageError(
      `The database of DATABASE_URL (${where}) cannot be used: ${reason(error)}.${hint}`,
      {
        cause: error,
      },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

// The message of an AggregateError (a name with two addresses) is empty.
function reason(error: unknown): string {
  const { message, code } = error as { message: string; code?: string };
  return message || code || 'unknown error';
}
