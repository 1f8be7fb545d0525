import { identityOf } from '../../avalanche/identity.js';
import type { Network } from '../../avalanche/networks.js';
import type { Batch } from '../../storage/session.js';
import { links, transactionsOf } from '../history/write.js';

const LINK_TRANSACTIONS = `
  WITH named AS MATERIALIZED (
    SELECT DISTINCT t.id AS transaction_id, u.asset_row_id, t.tx_type, t.block_timestamp AS time, t.tie
    FROM transaction t
    JOIN ${links} ON link.transaction_id = t.id
    JOIN utxo u ON u.id = link.utxo_row_id
    WHERE t.id = ANY($1::bigint[]) AND t.chain = 'x'
      AND u.asset_row_id IS DISTINCT FROM (SELECT id FROM asset WHERE network = $2 AND asset_id = $3)
  ), gone AS (
    DELETE FROM asset_transaction l WHERE l.transaction_id = ANY($1::bigint[]) AND NOT EXISTS (
      SELECT 1 FROM named WHERE named.transaction_id = l.transaction_id AND named.asset_row_id = l.asset_row_id)
  )
  INSERT INTO asset_transaction AS l (transaction_id, asset_row_id, tx_type, time, tie)
  SELECT * FROM named
  ON CONFLICT (transaction_id, asset_row_id) DO UPDATE
    SET tx_type = excluded.tx_type, time = excluded.time, tie = excluded.tie
  WHERE (l.tx_type, l.time, l.tie) IS DISTINCT FROM (excluded.tx_type, excluded.time, excluded.tie)`;

/**
 * Makes the transactions of assets other than AVAX agree with transactions of the X-chain and their lists of
 * outputs, which must be written. Must run under the network's import lock.
 *
 * @param transactionIds row ids
 */
export async function writeAssetTransactions(
  client: Batch,
  network: Network,
  transactionIds: readonly string[],
): Promise<void> {
  if (transactionIds.length === 0) return;
  await client.query(LINK_TRANSACTIONS, [transactionIds, network, identityOf(network).nativeAssetId]);
}

/** The same for the transactions of outputs whose asset was corrected, by the outputs' row ids. */
export async function correctAssetTransactions(
  client: Batch,
  network: Network,
  utxoRowIds: readonly string[],
): Promise<void> {
  await writeAssetTransactions(client, network, await transactionsOf(client, utxoRowIds));
}
