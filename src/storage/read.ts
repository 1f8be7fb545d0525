import type pg from 'pg';
import { cancelStatement } from './cancel.js';
import { codeOf } from './errors.js';

/** A hot read: fixed SQL under a fixed name, so that each connection parses and plans it once. */
export interface Statement {
  /** Unique among all statements; pg refuses one name with two texts. */
  name: string;
  text: string;
}

// 0A000: the schema changed under a named statement ("cached plan must not change result type").
// 26000: a pooler or DISCARD ALL threw the statement away.
// 42P05: a pooler gave us a connection on which somebody has prepared it.
const staleStatement = new Set(['0A000', '26000', '42P05']);

/** Whether a statement failed for its name alone, before it was run: without a name it may be asked again. */
export const isStaleStatement = (error: unknown) => staleStatement.has(codeOf(error));

/**
 * Runs a named prepared statement on the pool.
 *
 * @param abandoned cancels it in the server when aborted
 * @throws what pg throws; see isUnavailable in errors.ts. The signal's reason when it was aborted
 */
export async function read<Row extends object>(
  pool: pg.Pool,
  { name, text }: Statement,
  values: unknown[],
  abandoned?: AbortSignal,
): Promise<Row[]> {
  const ask = (query: pg.QueryConfig) =>
    abandoned ? askUnlessAborted<Row>(pool, query, abandoned) : pool.query<Row>(query);
  try {
    return (await ask({ name, text, values })).rows;
  } catch (error) {
    if (!isStaleStatement(error)) throw error;
    // That connection is closed. Any other may hold the same stale plan, therefore without the name.
    return (await ask({ text, values })).rows;
  }
}

async function askUnlessAborted<Row extends object>(
  pool: pg.Pool,
  query: pg.QueryConfig,
  abandoned: AbortSignal,
): Promise<pg.QueryResult<Row>> {
  abandoned.throwIfAborted();
  const client = await pool.connect();
  if (abandoned.aborted) client.release();
  abandoned.throwIfAborted();
  const cancel = () => cancelStatement(client);
  abandoned.addEventListener('abort', cancel, { once: true });
  let failed = false;
  try {
    return await client.query<Row>(query);
  } catch (error) {
    failed = true;
    throw abandoned.aborted ? abandoned.reason : error;
  } finally {
    abandoned.removeEventListener('abort', cancel);
    // A cancel that is on its way would hit the next statement of this connection, whoever sends that.
    client.release(failed || abandoned.aborted);
  }
}
