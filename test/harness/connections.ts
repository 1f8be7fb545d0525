import type pg from 'pg';
import { pino } from 'pino';
import { openClient, openPool } from '../../src/storage/connection.js';
import type { Storage } from '../../src/storage/open.js';
import { openPrisma } from '../../src/storage/prisma.js';
import { ConnectionLimit } from '../../src/storage/connection-limit.js';
import { WholeStorage } from '../../src/storage/whole-storage.js';

/** A pool of a test. Its connections may break at any time: databases are dropped under them. */
export function createPool(url: string, max: number): pg.Pool {
  const log = pino({ level: 'silent' });
  const bounds = { max, connectionTimeoutMillis: 30_000, statementTimeoutMillis: 60_000 };
  return openPool({ connectionString: url }, { ...bounds, log }).pool;
}

/** A connection of a test that may break at any time. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = openClient({ connectionString: url });
  await client.connect();
  return client;
}

/** The pool of a storage, which hides it: to use it up, break it, or read its state. */
export function poolOf(storage: Storage): pg.Pool {
  return WholeStorage.poolOf(storage);
}

/**
 * Borrows a connection of a storage's pool, however long a busy machine needs to make one. The test releases
 * it.
 */
export async function holdConnection(storage: Storage): Promise<pg.PoolClient> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await poolOf(storage).connect();
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}

/** Runs `work` while nobody else can read or write a table. */
export async function whileLocked<T>(storage: Storage, table: string, work: () => Promise<T>): Promise<T> {
  const blocker = await holdConnection(storage);
  try {
    await blocker.query('BEGIN');
    await blocker.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
  }
}

/** A storage on a pool of a test, which the test ends. */
export function storageOn(pool: pg.Pool): Storage {
  return new WholeStorage({
    pool,
    prisma: openPrisma(pool, { transactionMs: 60_000 }),
    description: 'a pool of a test',
    url: '',
    connectionLimit: new ConnectionLimit({ running: 8, waiting: 0, timeoutMs: 0 }),
    spareConnection: () => Promise.reject(new Error('a pool of a test has no spare connection')),
    close: () => pool.end(),
  });
}
