import type { Database } from './database.js';

/** The first of the migrations that are undone, which are all from there to the newest. */
const FIRST_UNDONE = '20261122050100_icm_status_index';

const undo = `
  DROP INDEX icm_message_status_time_idx, icm_message_s_status_time_idx, icm_message_d_status_time_idx,
    icm_message_sd_status_time_idx;
  ALTER TABLE l1_validator DROP COLUMN subnet_row_id, DROP COLUMN validator_row_id;
  DROP TABLE subnet_validator;
  DROP TABLE replica_proof;
  DELETE FROM _prisma_migrations WHERE migration_name >= '${FIRST_UNDONE}'`;

/** Takes a database back to an older version, with all that it holds. A migration newer than these has to be undone here too. */
export async function makeOlder(database: Database): Promise<void> {
  await database.query(undo);
}

/** Every row of every table, and every index that is whole: as short texts, whatever the order of their columns. */
export async function everything(database: Database): Promise<Set<string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND relname <> '_prisma_migrations'`,
  );
  const rows = tables.map(
    ({ name }) => `SELECT '${name} ' || md5(to_jsonb(t)::text) AS text FROM "${name}" t`,
  );
  const found = await database.query<{ text: string }>(
    `${rows.join(' UNION ALL ')} UNION ALL
     SELECT 'index ' || pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = 'public'::regnamespace AND indisvalid`,
  );
  return new Set(found.map(({ text }) => text));
}
