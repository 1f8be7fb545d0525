import type pg from 'pg';
import { AppError } from '../../errors.js';

/** Seconds after which a replica has probably caught up. */
const RETRY_SECONDS = 2;

type Queryable = Pick<pg.Pool | pg.Client, 'query'>;

// Only a role with pg_read_all_stats can read the primary's own end of the log, and none can before the
// primary's first message to a receiver that has reconnected: until then all three times are those of its
// start.
const stateText = `
  SELECT pg_is_in_recovery() AS standby,
    CASE WHEN pg_is_in_recovery() THEN
      coalesce(greatest(pg_last_wal_receive_lsn(), (SELECT latest_end_lsn FROM pg_stat_wal_receiver))
        > pg_last_wal_replay_lsn(), true)
      OR NOT EXISTS (SELECT 1 FROM pg_stat_wal_receiver
        WHERE coalesce(status = 'streaming' AND last_msg_send_time <> last_msg_receipt_time, true))
    ELSE false END AS behind`;

/** Whether the server accepts no changes: a hot standby, or one that is set so. */
export async function isReadOnly(database: Queryable): Promise<boolean> {
  const { rows } = await (database as pg.Pool).query<{ readOnly: boolean }>(
    `SELECT current_setting('transaction_read_only')::boolean AS "readOnly"`,
  );
  return rows[0]?.readOnly === true;
}

/**
 * Checks whether a missing row may still arrive: on a hot standby whose replay is behind what was received,
 * or that receives nothing, or has received nothing since it reconnected.
 *
 * @returns what the server is
 * @throws AppError SERVICE_UNAVAILABLE when it may
 */
export async function refuseWhileBehind(database: Queryable): Promise<'primary' | 'standby'> {
  const { rows } = await (database as pg.Pool).query<{ standby: boolean; behind: boolean }>(stateText);
  if (rows[0]?.behind)
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'This replica of the data is behind and does not have the row of the page token yet; try again soon',
      { retryAfterSeconds: RETRY_SECONDS },
    );
  return rows[0]?.standby ? 'standby' : 'primary';
}
