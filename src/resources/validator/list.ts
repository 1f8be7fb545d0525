import type { Network } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import type { NamingNarrowing, NamingQuery } from '../naming/arguments.js';
import { listsOfNaming, type OfNamed } from '../naming/list.js';
import type { TransactionRow } from '../transaction/row.js';
import { stakingTypes } from '../transaction/tx-types.js';
import type { ValidatorQuery } from './arguments.js';
import { isHeld, validatorRows } from './fields.js';
import type { ValidatorRow } from './row.js';

/** The validators of a network that any transaction names, by node id. Cursors are row ids. */
export const validatorList = defineList<ValidatorQuery, ValidatorRow, never>({
  name: 'validators',
  values: { network: 'network' },
  ...validatorRows,
  where: (value) => `v.network = ${value('network')} AND ${isHeld}`,
  order: sortedBy('v', 'asc', ['node_id']),
  cursor: { table: 'validator', at: (alias, id) => `${alias}.id = ${id}` },
});

/** The validators of a subnet, by its row id; by node id. Cursors are row ids. */
export const subnetValidatorList = defineList<OfNamed, ValidatorRow, never>({
  name: 'subnet_validators',
  values: { rowId: 'bigint' },
  parent: ['rowId'],
  from: 'subnet_validator b',
  where: (value) => `b.subnet_row_id = ${value('rowId')}`,
  order: sortedBy('b', 'asc', ['node_id']),
  cursor: { table: 'validator', at: (alias, id) => `${alias}.id = ${id}` },
  columns: validatorRows.columns,
  lookup: { from: validatorRows.from, on: 'v.id = page.row_id', keys: { row_id: 'b.validator_row_id' } },
});

const naming = listsOfNaming('validator_transaction', 'validator_row_id');

/** The transactions that name a validator, newest first. PostgreSQL would cut a longer name of a statement. */
export const validatorTransactionList = defineList<OfNamed & NamingQuery, TransactionRow, NamingNarrowing>({
  name: 'validator_txs',
  ...naming.all,
});

/** Those that began a staking period of its own. */
export const stakingPeriodList = defineList<OfNamed, TransactionRow, never>({
  name: 'validator_staking_periods',
  ...naming.ofTypes(stakingTypes.periods),
});

/** Those that delegated to it. */
export const delegationList = defineList<OfNamed, TransactionRow, never>({
  name: 'validator_delegations',
  ...naming.ofTypes(stakingTypes.delegations),
});

/** Those that ended either. */
export const rewardList = defineList<OfNamed, TransactionRow, never>({
  name: 'validator_rewards',
  ...naming.ofTypes(['RewardValidatorTx']),
});

/** What identifies a validator. */
export interface ValidatorKey {
  network: Network;
  nodeId: string;
}

export const findValidators = defineFind<ValidatorKey, ValidatorRow>(
  'validators_by_key',
  { ...validatorRows, from: `(SELECT * FROM validator v WHERE ${isHeld}) v` },
  { network: ['network', 'v.network'], nodeId: ['text', 'v.node_id'] },
);

/** The validators that transactions name as their own, by the transactions' row ids. */
export const findValidatorsOfTransactions = defineFind<{ transactionId: string }, ValidatorRow>(
  'validators_of_transactions',
  {
    ...validatorRows,
    from: `transaction n JOIN validator v ON v.network = n.network AND v.node_id = n.details->>'nodeId' AND ${isHeld}`,
  },
  { transactionId: ['bigint', 'n.id'] },
);
