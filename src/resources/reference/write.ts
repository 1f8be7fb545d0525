import type { Batch } from '../../storage/session.js';

/** A kind of objects that P-chain transactions refer to, and the tables of these references. */
export interface Referenced {
  /** The table of the objects, and its column with their name. */
  table: string;
  name: string;
  /** The table of the references, and its column with the objects' row ids. */
  links: string;
  rowId: string;
  /** SELECT of the names in `transaction t`, one for each row; NULL and texts of another form are ignored. */
  names: string;
  /** Regular expression of a name: any other text might be too long for an index. */
  pattern: string;
  /** Further columns of the references: SQL over `transaction t`. */
  also?: Readonly<Record<string, string>>;
}

/** SQL of the transactions of a batch, $1, and the names in them. */
const mentions = ({ names, pattern }: Referenced) =>
  `transaction t CROSS JOIN LATERAL (${names}) n(name)
   WHERE t.id = ANY($1::bigint[]) AND t.chain = 'p' AND n.name ~ '${pattern}'`;

/** Adds unknown objects. Sorted, so that two imports of the same ones wait in one order. */
const addText = (referenced: Referenced) =>
  `INSERT INTO ${referenced.table} (network, ${referenced.name})
   SELECT DISTINCT t.network, n.name COLLATE "C" FROM ${mentions(referenced)} AND NOT EXISTS (
     SELECT 1 FROM ${referenced.table} known WHERE known.network = t.network AND known.${referenced.name} = n.name)
   ORDER BY 1, 2 ON CONFLICT DO NOTHING`;

const linkText = (referenced: Referenced) => {
  const { table, name, links, rowId, also = {} } = referenced;
  const columns = ['tx_type', 'time', 'tie', ...Object.keys(also)];
  const of = (alias: string) => columns.map((each) => `${alias}.${each}`).join(', ');
  const more = Object.entries(also).map(([column, sql]) => `, ${sql} AS ${column}`);
  return `
    WITH found AS MATERIALIZED (
      -- Once: the planner, who thinks little of tables that were empty, else looked for the names anew for each known one.
      SELECT t.id AS transaction_id, t.network, n.name, t.tx_type, t.block_timestamp AS time, t.tie${more.join('')}
      FROM ${mentions(referenced)}
    ), named AS MATERIALIZED (
      SELECT DISTINCT found.transaction_id, known.id AS row_id, ${of('found')}
      FROM found JOIN ${table} known ON known.network = found.network AND known.${name} = found.name
    ), gone AS (
      DELETE FROM ${links} l WHERE l.transaction_id = ANY($1::bigint[]) AND NOT EXISTS (
        SELECT 1 FROM named WHERE named.transaction_id = l.transaction_id AND named.row_id = l.${rowId})
      RETURNING l.${rowId} AS row_id
    ), written AS (
      INSERT INTO ${links} AS l (transaction_id, ${rowId}, ${columns.join(', ')})
      SELECT * FROM named
      ON CONFLICT (transaction_id, ${rowId}) DO UPDATE
        SET (${columns.join(', ')}) = (${of('excluded')})
      WHERE (${of('l')}) IS DISTINCT FROM (${of('excluded')})
    )
    SELECT row_id::text AS id FROM named UNION SELECT row_id::text FROM gone`;
};

/**
 * Makes the stored references agree with transactions, which must be written. Must run under the network's
 * import lock, like the write of the transactions themselves.
 *
 * @param transactionIds row ids of P-chain transactions
 * @returns row ids of the objects that they refer to, or did before
 */
export async function writeReferences(
  client: Batch,
  referenced: Referenced,
  transactionIds: readonly string[],
): Promise<readonly string[]> {
  if (transactionIds.length === 0) return [];
  // Two statements: the second also sees what another import added meanwhile.
  const [, { rows }] = await Promise.all([
    client.query(addText(referenced), [transactionIds]),
    client.query<{ id: string }>(linkText(referenced), [transactionIds]),
  ]);
  return rows.map(({ id }) => id);
}
