import type { Storage } from '../storage/open.js';
import type { Session } from '../storage/session.js';

// Those that would cut a statement or transaction that takes hours; which of them there are depends on the version.
const noTimeouts = `
  SELECT set_config(name, '0', false) FROM pg_settings
  WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout', 'lock_timeout')`;

/**
 * Runs `work` on one moment of the database, however long it takes. Everything is read on one connection, one file
 * after the other: the database makes the rows' text while this process packs the text before, so that the two halves
 * of the work go on at once.
 */
export function withSnapshot<T>(storage: Storage, work: (session: Session) => Promise<T>): Promise<T> {
  return storage.session(async (session) => {
    await session.query('SET statement_timeout = 0');
    await session.query(noTimeouts);
    // Not DEFERRABLE, which needs SERIALIZABLE, which a standby refuses. What imports commit is whole batches.
    await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The whole of it is read, not its first rows; and its sort keys are short.
    await session.query(
      `SET LOCAL jit = off; SET LOCAL work_mem = '64MB'; SET LOCAL client_encoding = 'UTF8'`,
    );
    return work(session);
  });
}
