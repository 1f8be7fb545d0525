import { sqlTexts, typesWhere } from '../../avalanche/chain/transactions.js';
import { ANY_ADDRESS, only } from '../../avalanche/patterns.js';
import type { Referenced } from '../reference/write.js';

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
};
