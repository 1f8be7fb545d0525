import type { Network } from '../../avalanche/networks.js';
import type { Batch } from '../../storage/session.js';

/** Finds the outputs that a transaction consumed or emitted. */
const links = `(
  SELECT transaction_id, utxo_row_id FROM transaction_output
  UNION ALL SELECT transaction_id, utxo_row_id FROM transaction_input) link`;

/**
 * Makes the histories of addresses agree with transactions, their lists of outputs and the owners of these,
 * which must be written. Must run under the network's import lock, like the write of the transactions
 * themselves.
 *
 * @param transactionIds row ids
 */
export async function writeHistories(
  client: Batch,
  network: Network,
  transactionIds: readonly string[],
): Promise<void> {
  if (transactionIds.length === 0) return;
  await client.query(
    `WITH party AS MATERIALIZED (
       SELECT DISTINCT t.id AS transaction_id, o.address_id, t.chain, t.tx_type, t.block_timestamp, t.tie
       FROM transaction t
       JOIN ${links} ON link.transaction_id = t.id
       JOIN utxo_owner o ON o.utxo_row_id = link.utxo_row_id
       -- The empty address owns every output and has no history.
       WHERE t.id = ANY($1::bigint[])
         AND o.address_id <> (SELECT id FROM address WHERE network = $2 AND address = '')
     ), gone AS (
       DELETE FROM address_transaction h WHERE h.transaction_id = ANY($1::bigint[]) AND NOT EXISTS (
         SELECT 1 FROM party WHERE party.transaction_id = h.transaction_id AND party.address_id = h.address_id)
     )
     INSERT INTO address_transaction AS h (transaction_id, address_id, chain, tx_type, time, tie)
     SELECT * FROM party
     ON CONFLICT (transaction_id, address_id) DO UPDATE
       SET tx_type = excluded.tx_type, time = excluded.time, tie = excluded.tie
     WHERE (h.tx_type, h.time, h.tie) IS DISTINCT FROM (excluded.tx_type, excluded.time, excluded.tie)`,
    [transactionIds, network],
  );
}

/**
 * The same for the transactions that consumed or emitted outputs whose owners were corrected, by the outputs'
 * row ids.
 */
export async function correctHistories(
  client: Batch,
  network: Network,
  utxoRowIds: readonly string[],
): Promise<void> {
  if (utxoRowIds.length === 0) return;
  const { rows } = await client.query<{ id: string }>(
    `SELECT DISTINCT link.transaction_id::text AS id FROM ${links} WHERE link.utxo_row_id = ANY($1::bigint[])`,
    [utxoRowIds],
  );
  await writeHistories(
    client,
    network,
    rows.map(({ id }) => id),
  );
}
