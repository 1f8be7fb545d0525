import type { Builder } from '../../graphql/builder.js';
import { listField } from '../../graphql/list-field.js';
import { namingArguments } from '../naming/arguments.js';
import { toTransactionNode } from '../transaction/row.js';
import type { ValidatorNode } from './fields.js';
import {
  delegationList,
  rewardList,
  stakingPeriodList,
  subnetValidatorList,
  validatorTransactionList,
} from './list.js';
import { toValidatorNode } from './row.js';

const rowId = { rowId: ({ rowId }: ValidatorNode) => rowId };

const ofTypes = {
  stakingPeriods: {
    list: stakingPeriodList,
    description:
      'The transactions that began a staking period of the node, in the primary network or in a subnet, newest first: startTimestamp and endTimestamp of each are the period, amountStaked is the stake, rewardTransaction what ended it.',
  },
  delegations: {
    list: delegationList,
    description:
      'The transactions that delegated stake to the node, newest first: startTimestamp, endTimestamp and amountStaked of each tell of the delegation, rewardTransaction what ended it.',
  },
  rewards: {
    list: rewardList,
    description:
      'The transactions that ended stakes of the node and delegations to it, newest first. Of the emittedUtxos of each those with a rewardType are rewards: to the validator, to the delegator, or the share of it that the validator kept. Where the staking transaction is not held, this one is not listed.',
  },
};

/** Registers the lists of a validator, and those of validators that others have. */
export function registerValidatorLists(builder: Builder): void {
  registerTransactions(builder);
  builder.objectField('Subnet', 'validators', (t) =>
    listField(t, {
      type: 'ValidatorConnection',
      description:
        'The nodes that validate, or validated, the subnet, by nodeId: those that a transaction that is held adds to it as a validator or delegates to there, each once. The validators of the L1 that it became are l1Validators.',
      list: subnetValidatorList,
      of: { rowId: ({ rowId }) => rowId },
      toNode: toValidatorNode,
    }),
  );
}

function registerTransactions(builder: Builder): void {
  builder.objectField('Validator', 'transactions', (t) =>
    listField(t, {
      type: 'TransactionConnection',
      description:
        'The transactions of the P-chain that name the node, by nodeId, in l1ValidatorDetails or by the stake that they ended; newest first by block timestamp, ties by txHash.',
      list: validatorTransactionList,
      arguments: namingArguments,
      of: rowId,
      toNode: toTransactionNode,
    }),
  );
  for (const [name, { list, description }] of Object.entries(ofTypes))
    builder.objectField('Validator', name, (t) =>
      listField(t, {
        type: 'TransactionConnection',
        description,
        list,
        of: rowId,
        toNode: toTransactionNode,
      }),
    );
}
