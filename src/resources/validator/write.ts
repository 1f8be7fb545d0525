import { sqlTexts, typesWhere } from '../../avalanche/chain/transactions.js';
import type { Batch } from '../../storage/session.js';
import type { Referenced } from '../reference/write.js';
import { ofEndedStake, stakesOfDelegations } from './import-delegations.js';

const endings = sqlTexts(typesWhere('stake', 'ends'));

/**
 * The nodes that transactions name as their own or as that of an L1 validator, and those whose stakes they
 * ended. OFFSET 0 keeps the planner from testing the pattern in the index by node: where the statistics are
 * of empty tables, it would read all staking transactions for each ended stake.
 */
export const namedValidators: Referenced = {
  table: 'validator',
  name: 'node_id',
  links: 'validator_transaction',
  rowId: 'validator_row_id',
  names: `
    SELECT t.details->>'nodeId'
    UNION ALL SELECT item.value->>'nodeId' FROM jsonb_array_elements(t.details->'l1ValidatorDetails') AS item(value)
    UNION ALL SELECT staking.node FROM (
      SELECT s.details->>'nodeId' AS node FROM transaction s
      WHERE t.tx_type IN (${endings}) AND s.network = t.network AND s.chain = 'p'
        AND s.tx_hash = t.details->>'stakingTxHash' OFFSET 0) staking`,
  pattern: '^NodeID-[1-9A-HJ-NP-Za-km-z]{20,60}$',
  also: ofEndedStake,
};

/**
 * The stored transactions that ended these stakes, or those to which these delegate: whichever was imported
 * first.
 *
 * @param transactionIds row ids of P-chain transactions, whose references are not written yet
 * @returns row ids
 */
export async function endingStakes(
  client: Batch,
  transactionIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT reward.id::text AS id FROM (
       SELECT t.network, t.tx_hash FROM transaction t WHERE t.id = ANY($1::bigint[]) AND t.details ? 'nodeId'
       UNION ALL ${stakesOfDelegations}) stake CROSS JOIN LATERAL (
       SELECT r.id FROM transaction r
       WHERE r.tx_type IN (${endings}) AND r.details->>'stakingTxHash' = stake.tx_hash
         AND r.network = stake.network AND r.chain = 'p' OFFSET 0) reward`,
    [transactionIds],
  );
  return rows.map(({ id }) => id);
}
