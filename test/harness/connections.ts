import type pg from 'pg';
import { pino } from 'pino';
import { openClient, openPool } from '../../src/storage/connection.js';

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
