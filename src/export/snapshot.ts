import type { Storage } from '../storage/open.js';
import type { Session } from '../storage/session.js';

// Time limits that would end a statement or transaction that takes hours; which of them exist depends on the
// version.
const noTimeouts = `
  SELECT set_config(name, '0', false) FROM pg_settings
  WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout', 'lock_timeout')`;

/**
 * Runs `work` on one snapshot of the database, however long it takes. Everything is read on one connection,
 * one file after the other: the database makes the text of the next rows while this process compresses the
 * text before, so that both halves of the work run at the same time.
 */
export function withSnapshot<T>(storage: Storage, work: (session: Session) => Promise<T>): Promise<T> {
  return storage.session(async (session) => {
    await session.query('SET statement_timeout = 0');
    await session.query(noTimeouts);
    // Not DEFERRABLE: it needs SERIALIZABLE, which a standby refuses. Imports commit whole batches anyway.
    await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // All rows are read, not only the first ones; and the sort keys are short.
    await session.query(
      `SET LOCAL jit = off; SET LOCAL work_mem = '64MB'; SET LOCAL client_encoding = 'UTF8';
       SET LOCAL timezone = 'UTC'; SET LOCAL bytea_output = 'hex'`,
    );
    return work(session);
  });
}
