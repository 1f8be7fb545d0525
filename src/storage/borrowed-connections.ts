import type pg from 'pg';
import { waitPatiently } from './connection.js';
import { DriverSession } from './driver-session.js';
import { messageOf } from './errors.js';
import { isStaleStatement } from './read.js';
import type { Connection, Session } from './session.js';

/** How long a session waits for its connection, milliseconds. */
const CONNECT_MS = 30_000;

/**
 * Lends a connection. It is closed afterwards, because a session with temporary tables and other settings is
 * not like a new one.
 */
export async function withSession<T>(pool: pg.Pool, work: (session: Session) => Promise<T>): Promise<T> {
  const client = await connectPatiently(pool);
  waitPatiently(client);
  try {
    return await work(new DriverSession(client));
  } finally {
    client.release(true);
  }
}

// The pool gives up when a request's caller would. An import has no such caller, and a server that is only
// slow to accept a connection must not end it; a server that is down refuses at once.
async function connectPatiently(pool: pg.Pool): Promise<pg.PoolClient> {
  for (const deadline = performance.now() + CONNECT_MS; ;)
    try {
      return await pool.connect();
    } catch (error) {
      if (performance.now() > deadline || !isTooSlow(error)) throw error;
    }
}

const isTooSlow = (error: unknown) =>
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/.test(
    messageOf(error),
  );

/**
 * Runs `work` on one connection. A connection on which something failed is closed and not returned to the
 * pool, because it may be inside an aborted transaction.
 */
export async function withConnection<T>(
  pool: pg.Pool,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failed = true;
  try {
    const result = await work(client);
    failed = false;
    return result;
  } finally {
    client.release(failed);
  }
}

/** Runs `work` on one snapshot of the database; once more if a named statement of it was stale. */
export async function withSnapshot<T>(
  pool: pg.Pool,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await inSnapshot(pool, work);
  } catch (error) {
    if (!isStaleStatement(error)) throw error;
    // Nothing was written. Any other connection may have the same stale statement, so it is sent without
    // names.
    return inSnapshot(pool, (connection) => work(withoutNames(connection)));
  }
}

function withoutNames(connection: Connection): Connection {
  return {
    query: (text, values) =>
      connection.query(typeof text === 'string' ? text : { ...text, name: undefined }, values),
  };
}

async function inSnapshot<T>(pool: pg.Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await work(client);
    await client.query('COMMIT');
    broken = false;
    return result;
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => isStaleStatement(error),
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
}
