import type { Network } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import { listsOfReferences } from '../reference/list.js';
import { typesWhere } from '../../avalanche/chain/transactions.js';
import type { ValidatorQuery } from './arguments.js';
import { isIndexed, validatorRows, type ValidatorNode } from './fields.js';

/** The validators of a network that any transaction names, by node id. Cursors are row ids. */
export const validatorList = defineList<ValidatorQuery, ValidatorNode, never>({
  name: 'validators',
  values: { network: 'network' },
  ...validatorRows,
  where: (value) => `v.network = ${value('network')} AND ${isIndexed}`,
  order: sortedBy('v', 'asc', ['node_id']),
  cursor: { table: 'validator' },
});

const references = listsOfReferences('validator_transaction', 'validator_row_id');

/**
 * The transactions that name a validator, newest first. PostgreSQL would cut a longer name of a statement.
 */
export const validatorTransactionList = references.all('validator_txs');

/** Those that began a staking period of its own. */
export const stakingPeriodList = references.ofTypes(
  'validator_staking_periods',
  typesWhere('stake', 'validates'),
);

export const delegationList = references.ofTypes('validator_delegations', typesWhere('stake', 'delegates'));

/** Those that ended either. */
export const rewardList = references.ofTypes('validator_rewards', typesWhere('stake', 'ends'));

export interface ValidatorKey {
  network: Network;
  nodeId: string;
}

export const findValidators = defineFind<ValidatorKey, ValidatorNode>(
  'validators_by_key',
  { ...validatorRows, from: `(SELECT * FROM validator v WHERE ${isIndexed}) v` },
  { network: ['network', 'v.network'], nodeId: ['text', 'v.node_id'] },
);

/** The validators that transactions name as their own, by the transactions' row ids. */
export const findValidatorsOfTransactions = defineFind<{ transactionId: string }, ValidatorNode>(
  'validators_of_transactions',
  {
    ...validatorRows,
    from: `transaction n JOIN validator v ON v.network = n.network AND v.node_id = n.details->>'nodeId' AND ${isIndexed}`,
  },
  { transactionId: ['bigint', 'n.id'] },
);
