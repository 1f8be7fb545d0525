import type { Builder } from '../../graphql/builder.js';
import { addListField } from '../../graphql/list-field.js';
import { referenceArguments } from '../reference/arguments.js';
import { NEWEST_FIRST } from '../transaction/arguments.js';
import type { ValidatorNode } from './fields.js';
import { delegationList, rewardList, stakingPeriodList, validatorTransactionList } from './list.js';

const rowId = { rowId: ({ rowId }: ValidatorNode) => rowId };
const keyOf = ({ network, nodeId }: ValidatorNode) => ({ network, nodeId });

const ofTypes = {
  stakingPeriods: {
    list: stakingPeriodList,
    description:
      'The transactions that began a staking period of the node, in the primary network or in a subnet, newest first. Their startTimestamp and endTimestamp are the period, amountStaked is the stake, and rewardTransaction is the transaction that ended it.',
  },
  delegations: {
    list: delegationList,
    description:
      'The transactions that delegated stake to the node, newest first. Their startTimestamp, endTimestamp and amountStaked describe the delegation; rewardTransaction is the transaction that ended it.',
  },
  rewards: {
    list: rewardList,
    description:
      "The transactions that ended stakes of the node and delegations to it, newest first. Those of their emittedUtxos that have a rewardType are rewards: of the validator, of the delegator, or the share of the delegator's reward that the validator kept. A transaction is listed only if the staking transaction that it ended is indexed.",
  },
};

export function registerValidatorLists(builder: Builder): void {
  addListField(builder, 'Validator', 'transactions', {
    type: 'TransactionConnection',
    description: `The P-chain transactions that name the node, as nodeId, in l1ValidatorDetails or by the stake that they ended; ${NEWEST_FIRST}.`,
    list: validatorTransactionList,
    arguments: referenceArguments,
    of: rowId,
    key: keyOf,
  });
  for (const [name, { list, description }] of Object.entries(ofTypes))
    addListField(builder, 'Validator', name, {
      type: 'TransactionConnection',
      description,
      list,
      of: rowId,
      key: keyOf,
    });
}
