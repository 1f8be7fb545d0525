import type { Batch } from '../../storage/session.js';

/** Things that transactions of the P-chain name, and where the import keeps who names them. */
export interface Named {
  /** The table of the things, and its column with their name. */
  table: string;
  name: string;
  /** The table of who names them, and its column with their row ids. */
  links: string;
  rowId: string;
  /** SELECT of the names in `transaction t`, one for each row; NULL and what is no such name counts for nothing. */
  names: string;
  /** Regular expression of a name: what else a row holds in its place may not fit into an index. */
  pattern: string;
}

/** SQL of the transactions of a batch, $1, and the names in them. */
const mentions = ({ names, pattern }: Named) =>
  `transaction t CROSS JOIN LATERAL (${names}) n(name)
   WHERE t.id = ANY($1::bigint[]) AND t.chain = 'p' AND n.name ~ '${pattern}'`;

/** Adds what is not known yet. Sorted, so that two imports that add the same wait for each other in one order. */
const addText = (named: Named) =>
  `INSERT INTO ${named.table} (network, ${named.name})
   SELECT DISTINCT t.network, n.name COLLATE "C" FROM ${mentions(named)} AND NOT EXISTS (
     SELECT 1 FROM ${named.table} known WHERE known.network = t.network AND known.${named.name} = n.name)
   ORDER BY 1, 2 ON CONFLICT DO NOTHING`;

const linkText = (named: Named) => {
  const { table, name, links, rowId } = named;
  return `
    WITH found AS MATERIALIZED (
      -- Once: the planner, who thinks little of tables that were empty, else looked for the names anew for each known one.
      SELECT t.id AS transaction_id, t.network, n.name, t.tx_type, t.block_timestamp AS time, t.tie
      FROM ${mentions(named)}
    ), named AS MATERIALIZED (
      SELECT DISTINCT found.transaction_id, known.id AS row_id, found.tx_type, found.time, found.tie
      FROM found JOIN ${table} known ON known.network = found.network AND known.${name} = found.name
    ), gone AS (
      DELETE FROM ${links} l WHERE l.transaction_id = ANY($1::bigint[]) AND NOT EXISTS (
        SELECT 1 FROM named WHERE named.transaction_id = l.transaction_id AND named.row_id = l.${rowId})
      RETURNING l.${rowId} AS row_id
    ), written AS (
      INSERT INTO ${links} AS l (transaction_id, ${rowId}, tx_type, time, tie)
      SELECT * FROM named
      ON CONFLICT (transaction_id, ${rowId}) DO UPDATE SET tx_type = excluded.tx_type, time = excluded.time
      WHERE (l.tx_type, l.time) IS DISTINCT FROM (excluded.tx_type, excluded.time)
    )
    SELECT row_id::text AS id FROM named UNION SELECT row_id::text FROM gone`;
};

/**
 * Makes what is kept of who names things agree with transactions, which must be written. Must run under the network's
 * import lock, like the write of the transactions themselves.
 *
 * @param transactionIds row ids of P-chain transactions
 * @returns row ids of the things that they name, or did before
 */
export async function writeNames(
  client: Batch,
  named: Named,
  transactionIds: readonly string[],
): Promise<readonly string[]> {
  if (transactionIds.length === 0) return [];
  // Two statements: the second sees also what another import added meanwhile.
  await client.query(addText(named), [transactionIds]);
  const { rows } = await client.query<{ id: string }>(linkText(named), [transactionIds]);
  return rows.map(({ id }) => id);
}
