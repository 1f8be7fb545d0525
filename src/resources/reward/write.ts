import { sqlTexts, typesWhere } from '../../avalanche/chain/transactions.js';
import { ANY_ADDRESS, only } from '../../avalanche/patterns.js';
import type { Batch } from '../../storage/session.js';
import { isOpen } from '../reference/present.js';
import { writeReferences, type Referenced } from '../reference/write.js';

/**
 * The addresses that staking transactions name as those who are paid, and those that transactions which ended
 * a stake have paid a reward.
 */
export const rewardedAddresses: Referenced = {
  table: 'address',
  name: 'address',
  links: 'reward_transaction',
  rowId: 'address_id',
  names: `
    SELECT jsonb_array_elements_text(t.details->'rewardAddresses')
    UNION ALL SELECT unnest(u.addresses) FROM transaction_output o JOIN utxo u ON u.id = o.utxo_row_id
      WHERE t.tx_type IN (${sqlTexts(typesWhere('stake', 'ends'))}) AND o.transaction_id = t.id
        AND u.reward_type IS NOT NULL`,
  pattern: only(ANY_ADDRESS),
  also: {
    // The node with which it stakes, or its stake did. OFFSET 0: as in validator/write.ts.
    validator_row_id: `(
      SELECT v.id FROM validator v WHERE v.network = t.network AND v.node_id = coalesce(t.details->>'nodeId', (
        SELECT s.details->>'nodeId' FROM transaction s
        WHERE s.network = t.network AND s.chain = 'p' AND s.tx_hash = t.details->>'stakingTxHash' OFFSET 0)))`,
    is_open: isOpen,
  },
};

/**
 * Makes who was paid agree with outputs whose owners were corrected, or that turned out to be rewards, by the
 * outputs' row ids. Must run under the network's import lock.
 */
export async function correctRewards(client: Batch, utxoRowIds: readonly string[]): Promise<void> {
  if (utxoRowIds.length === 0) return;
  const { rows } = await client.query<{ id: string }>(
    'SELECT DISTINCT transaction_id::text AS id FROM transaction_output WHERE utxo_row_id = ANY($1::bigint[])',
    [utxoRowIds],
  );
  await writeReferences(
    client,
    rewardedAddresses,
    rows.map(({ id }) => id),
  );
}
