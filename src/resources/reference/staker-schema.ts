import type { Builder } from '../../graphql/builder.js';
import { addRowField } from '../../graphql/row-field.js';
import { findTransactions } from '../transaction/list.js';
import { findValidators } from '../validator/list.js';

/** Types whose rows are stakes. */
type OfStaker = 'Delegation' | 'PendingReward' | 'SubnetValidator';

/**
 * Adds the node with which a row stakes, and the transaction that began the stake.
 *
 * @param descriptions of both, with when they are null
 */
export function addStakerRows(
  builder: Builder,
  type: OfStaker,
  descriptions: Record<'validator' | 'transaction', string>,
): void {
  addRowField(builder, type, 'validator', {
    type: 'Validator',
    description: descriptions.validator,
    find: findValidators,
    of: ({ network, nodeId }) => ({ network, nodeId }),
  });
  addRowField(builder, type, 'transaction', {
    type: 'Transaction',
    description: descriptions.transaction,
    find: findTransactions,
    of: ({ network, txHash }, constant) => ({ network, chain: constant('p'), txHash }),
  });
}
