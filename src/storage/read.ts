import type pg from 'pg';
import type { Abandon } from './abandon.js';
import { cancelStatement } from './cancel.js';
import { codeOf } from './errors.js';
import { NamedQuery } from './named-query.js';
import { asReplyError } from './reply-bytes.js';

/** A hot read: fixed SQL under a fixed name, so that each connection parses and plans it once. */
export interface Statement {
  /** Unique among all statements; pg refuses one name with two texts. */
  name: string;
  text: string;
}

// 0A000: the schema changed under a named statement ("cached plan must not change result type").
// 26000: a pooler or DISCARD ALL removed the statement.
// 42P05: a pooler gave us a connection on which somebody else prepared it.
const staleStatement = new Set(['0A000', '26000', '42P05']);

/**
 * How long a statement goes on for which nobody waits, milliseconds. Nearly all end by themselves before, so that their
 * connections are kept: while clients of one address reset their connections as fast as they could, making new
 * connections and planning statements again took more of both processors than the statements.
 */
const ABANDONED_MS = 100;

/** Whether a statement failed only because of its name, before it was run: it may be sent again without a name. */
export const isStaleStatement = (error: unknown) => staleStatement.has(codeOf(error));

/**
 * Runs a named prepared statement on the pool.
 *
 * @param abandon cancels it in the server some time after nobody waits for it any longer
 * @throws what pg throws; see isUnavailable in errors.ts. ReplyTooLarge for more than the largest reply. The reason of
 * `abandon` if that came before
 */
export async function read<Row extends object>(
  pool: pg.Pool,
  { name, text }: Statement,
  values: unknown[],
  abandon?: Abandon,
): Promise<Row[]> {
  try {
    return await ask<Row>(pool, new NamedQuery(name, text, values), abandon);
  } catch (error) {
    if (!isStaleStatement(error)) throw asReplyError(error);
    // That connection is closed. Any other may have the same stale plan, so it is sent without the name.
    return await ask<Row>(pool, new NamedQuery(undefined, text, values), abandon);
  }
}

async function ask<Row extends object>(
  pool: pg.Pool,
  query: NamedQuery<Row>,
  abandon: Abandon | undefined,
): Promise<Row[]> {
  abandon?.insist();
  const client = await pool.connect();
  if (abandon?.why()) client.release();
  abandon?.insist();
  let timer: NodeJS.Timeout | undefined;
  let broken = false;
  const cancel = () => {
    // The server may cancel late, and then hit the next statement of this connection, whoever sends it.
    broken = true;
    cancelStatement(client);
  };
  const giveUp = () => (timer = setTimeout(cancel, ABANDONED_MS));
  abandon?.onAbort(giveUp);
  try {
    return await client.query(query).rows;
  } catch (error) {
    broken = true;
    throw abandon?.why() ?? (error as Error);
  } finally {
    abandon?.forget(giveUp);
    clearTimeout(timer);
    client.release(broken);
  }
}
