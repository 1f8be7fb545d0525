import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient, type Prisma } from '../generated/prisma/client.js';

export interface PrismaOptions {
  /**
   * Longest that an interactive transaction may take, milliseconds; the pool bounds waiting for a connection.
   */
  transactionMs: number;
}

/** Prisma's client on a pool. */
export function openPrisma(pool: pg.Pool, { transactionMs }: PrismaOptions): Database {
  const adapter = new PrismaPg(pool);
  // The adapter takes a pool for settings if it has another copy of pg than we have, as in a program that
  // needs an older one: it would connect to whatever server the environment names.
  Object.assign(adapter, { externalPool: pool });
  return new PrismaClient({
    adapter,
    transactionOptions: { maxWait: transactionMs, timeout: transactionMs },
  });
}

/** Prisma's client: models, raw statements and transactions. */
export type Database = PrismaClient;

/** The same inside of an interactive transaction. */
export type Transaction = Prisma.TransactionClient;
