import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { unlessAborted } from '../stop.js';
import { openPool, requestOptions, type ClosablePool } from './connection.js';
import { isPooled } from './given-server.js';
import { openPrisma, type Database } from './prisma.js';

/** Milliseconds to wait for a connection: longer than a burst, shorter than a caller waits. */
export const CONNECT_MS = 3000;

/** The connections to one server, and Prisma's client on them. */
export interface OpenConnections extends Pick<ClosablePool, 'pool' | 'giveUp' | 'prepared'> {
  prisma: Database;
  close: (atOnce: AbortSignal) => Promise<void>;
}

type ConnectionsConfig = Pick<
  Config,
  'DATABASE_POOL' | 'STATEMENT_TIMEOUT_MS' | 'DATABASE_URL' | 'DIRECT_DATABASE_URL'
>;

/**
 * Opens a pool as the settings say. It connects on first use. @param connectMs longest wait for a connection
 */
export function openConnections(
  connection: pg.ClientConfig,
  config: ConnectionsConfig,
  log: Logger,
  connectMs = CONNECT_MS,
): OpenConnections {
  const { DATABASE_POOL, STATEMENT_TIMEOUT_MS } = config;
  const pooled = isPooled(config);
  const {
    pool,
    giveUp,
    prepared,
    close: closePool,
  } = openPool(
    { ...connection, application_name: 'moraine', ...(!pooled && requestOptions) },
    {
      max: DATABASE_POOL,
      connectionTimeoutMillis: connectMs,
      statementTimeoutMillis: STATEMENT_TIMEOUT_MS,
      pooled,
      log,
    },
  );
  const prisma = openPrisma(pool, { transactionMs: STATEMENT_TIMEOUT_MS + connectMs });
  return {
    pool,
    prisma,
    giveUp,
    prepared,
    async close(atOnce) {
      // $disconnect does not close a pool that was passed in, and waits for a connection that does not
      // answer.
      const ended = unlessAborted(atOnce, closePool()).catch((error: unknown) =>
        log.warn({ err: error }, 'database connections are closed in the middle of a statement'),
      );
      await Promise.race([prisma.$disconnect(), ended]);
      await ended;
    },
  };
}
