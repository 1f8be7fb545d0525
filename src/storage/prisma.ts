import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { Prisma, PrismaClient } from '../generated/prisma/client.js';
import { read } from './read.js';
import type { Statement } from './statement.js';

export interface PrismaOptions {
  /** Longest that an interactive transaction may take, milliseconds; the pool bounds waiting for a connection. */
  transactionMs: number;
}

/**
 * Prisma's client on a pool, extended: `read` runs a hot read on the driver, under its name, which Prisma cannot do
 * (docs/decisions/0017-doors-to-the-database.md).
 */
export function openPrisma(pool: pg.Pool, { transactionMs }: PrismaOptions) {
  const adapter = new PrismaPg(pool);
  // The adapter takes a pool for settings if it has another copy of pg than we have, as in a program that needs an
  // older one: it would connect to whatever server the environment names.
  Object.assign(adapter, { externalPool: pool });
  const client = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: transactionMs, timeout: transactionMs },
  });
  return client.$extends({
    client: {
      /**
       * A hot read: a named prepared statement on the pool.
       *
       * @throws Error inside of a transaction; what pg throws
       */
      read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
        // Prisma does not expose a transaction's connection: the read would silently run outside it.
        if (!('$connect' in Prisma.getExtensionContext(this)))
          return Promise.reject(new Error(`${statement.name} would be read outside of the transaction`));
        return read<Row>(pool, statement, values);
      },
    },
  });
}

/** The extended client: models, raw statements, transactions and hot reads. */
export type Database = ReturnType<typeof openPrisma>;

/** The same inside of an interactive transaction, where hot reads throw. */
export type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];
