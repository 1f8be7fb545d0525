import type pg from 'pg';
import type { Abandon } from './abandon.js';
import { cancelStatement } from './cancel.js';
import { codeOf } from './errors.js';
import { NamedQuery } from './named-query.js';
import { asReplyError } from './reply-bytes.js';
import { SEND_AGAIN, type SharedConnection } from './shared-connection.js';
import { SharedReads } from './shared-reads.js';
import type { Statement } from './statement.js';

// 0A000: the schema changed under a named statement ("cached plan must not change result type").
// 26000: a pooler or DISCARD ALL removed the statement.
// 42P05: a pooler gave us a connection on which another client prepared it.
const staleStatement = new Set(['0A000', '26000', '42P05']);

/**
 * Time before an abandoned statement is cancelled, milliseconds. Nearly all end by themselves before, so that
 * their connections are kept: while clients of one address reset their connections as fast as they could,
 * making new connections and planning statements again took more of both processors than the statements.
 */
const ABANDONED_MS = 100;

/** Whether a statement failed only because of its name, before it was run: it may be repeated without one. */
export const isStaleStatement = (error: unknown) => staleStatement.has(codeOf(error));

/**
 * Runs a named prepared statement on the pool: a short one on a connection that others share, any other on
 * one of its own.
 *
 * @param abandon cancels it in the server some time after it was abandoned
 * @throws what pg throws; see isUnavailable in errors.ts. ReplyTooLarge for more than the largest reply. The
 *   reason of `abandon` if that came before
 */
export async function read<Row extends object>(
  pool: pg.Pool,
  statement: Statement,
  values: unknown[],
  abandon?: Abandon,
): Promise<Row[]> {
  try {
    return await readByName<Row>(pool, statement, values, abandon);
  } catch (error) {
    if (!isStaleStatement(error)) throw asReplyError(error);
    // That connection is closed. Any other may have the same stale plan, so it is sent without the name.
    const query = new NamedQuery<Row>(undefined, statement.text, values);
    return await readAlone(await connect(pool, abandon), query, abandon);
  }
}

async function readByName<Row extends object>(
  pool: pg.Pool,
  statement: Statement,
  values: unknown[],
  abandon: Abandon | undefined,
): Promise<Row[]> {
  const reads = SharedReads.of(pool);
  abandon?.insist();
  for (let shared = reads.connectionFor(statement); ; shared = undefined) {
    const query = new NamedQuery<Row>(statement.name, statement.text, values);
    if (!shared) {
      const client = await connect(pool, abandon);
      shared = reads.share(client, statement);
      if (!shared) {
        const start = performance.now();
        const rows = await readAlone(client, query, abandon);
        reads.short.note(statement, performance.now() - start);
        return rows;
      }
    }
    reads.figures.reads += 1;
    try {
      return await readTogether(shared, statement, query, abandon);
    } catch (error) {
      // The first read on a connection waits for no other, so this ends.
      if (error !== SEND_AGAIN) throw error;
      reads.figures.again += 1;
    }
  }
}

async function connect(pool: pg.Pool, abandon: Abandon | undefined): Promise<pg.PoolClient> {
  abandon?.insist();
  const client = await pool.connect();
  if (abandon?.why()) client.release();
  abandon?.insist();
  return client;
}

/** Reads on a borrowed connection, and gives it back. */
async function readAlone<Row extends object>(
  client: pg.PoolClient,
  query: NamedQuery<Row>,
  abandon: Abandon | undefined,
): Promise<Row[]> {
  let broken = false;
  const cancel = () => {
    // The server may cancel late, and then hit the next statement of this connection, whoever sends it.
    broken = true;
    cancelStatement(client);
    return true;
  };
  try {
    client.query(query);
    return await whileWanted(query.rows, cancel, abandon);
  } catch (error) {
    broken = true;
    throw error;
  } finally {
    client.release(broken);
  }
}

function readTogether<Row extends object>(
  shared: SharedConnection,
  statement: Statement,
  query: NamedQuery<Row>,
  abandon: Abandon | undefined,
): Promise<Row[]> {
  const sent = shared.send(statement, query);
  return abandon ? whileWanted(sent.rows, () => shared.cancel(sent), abandon) : sent.rows;
}

/** The rows of a read. Some time after it was abandoned it is cancelled; this is repeated until it works. */
async function whileWanted<Row>(
  rows: Promise<Row[]>,
  cancel: () => boolean,
  abandon: Abandon | undefined,
): Promise<Row[]> {
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    timer = setTimeout(() => {
      if (!cancel()) giveUp();
    }, ABANDONED_MS);
  };
  abandon?.onAbort(giveUp);
  try {
    return await rows;
  } catch (error) {
    throw abandon?.why() ?? (error as Error);
  } finally {
    abandon?.forget(giveUp);
    clearTimeout(timer);
  }
}
