import type pg from 'pg';
import { waitPatiently } from '../storage/connection.js';
import type { Storage } from '../storage/open.js';

/** Lends a database session to an import. Work inside may make temporary tables and change settings. */
export async function withSession<T>(
  { pool }: Storage,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // Batches and VACUUM switch the server's time-out off.
  waitPatiently(client);
  try {
    return await work(client);
  } finally {
    // Destroyed, because a session with temporary tables and other settings is not like a new one.
    client.release(true);
  }
}
