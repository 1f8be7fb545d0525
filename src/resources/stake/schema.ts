import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { rowField } from '../../graphql/row-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { findTransactions } from '../transaction/list.js';
import { findValidators } from '../validator/list.js';
import { NEWEST_FIRST } from '../transaction/arguments.js';
import { stakingTransactionList } from './transaction-list.js';
import {
  delegatorStakeArguments,
  stakingTransactionArguments,
  validatorStakeArguments,
  type ValidatorStakeQuery,
} from './arguments.js';
import { stakeObjects, validatorStateFields, type StakeRewards } from './details.js';
import { delegatorStakeFields, stakeKeys, validatorStakeFields } from './fields.js';
import type { DelegationStatus, DelegatorStakeNode, ValidationStatus, ValidatorStakeNode } from './fields.js';
import { delegatorStakeList } from './delegator-list.js';
import { validatorStakeList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    StakeRewards: StakeRewards;
    ValidatorStake: ValidatorStakeNode;
    ValidatorStakeConnection: ConnectionSource;
    DelegatorStake: DelegatorStakeNode;
    DelegatorStakeConnection: ConnectionSource;
  }
  interface LeafTypes {
    ValidationStatus: Leaf<ValidationStatus>;
    DelegationStatus: Leaf<DelegationStatus>;
    ValidatorStakeSort: Leaf<ValidatorStakeQuery['sortBy']>;
  }
}

const statuses = {
  completed: { description: 'Its period has ended.' },
  active: { description: 'It stakes after the newest stored block.' },
  pending: { description: 'It waits for its start.' },
};

/** Registers the stakes of validators and delegators, of now and of the past. */
export function registerStake(builder: Builder): void {
  registerEnums(builder);
  const { description, fields } = stakeObjects.StakeRewards;
  builder.objectType('StakeRewards', { description, fields: (t) => exposeFields(t, fields) });
  builder.objectType('ValidatorStake', {
    description: 'A stake of a validator of the primary network or a subnet, and what became of it.',
    extensions: sqlOfType({ keys: stakeKeys }),
    fields: (t) => ({
      ...exposeFields(t, validatorStakeFields),
      ...exposeFields(t, validatorStateFields),
    }),
  });
  builder.objectType('DelegatorStake', {
    description: 'A delegation to a validator, and what became of it.',
    extensions: sqlOfType({ keys: stakeKeys }),
    fields: (t) => exposeFields(t, delegatorStakeFields),
  });
  registerEdges(builder);
  registerConnection(builder, 'ValidatorStake', 'stakes of validators');
  registerConnection(builder, 'DelegatorStake', 'stakes of delegators');
  const listed =
    'by the transactions that began them, newest first: those of now, and those that have ended. Empty where the P-chain is not followed from genesis on, or its computed state is not that of a node: activeValidators of the primary network is then null.';
  addListField(builder, 'Query', 'validatorStakes', {
    type: 'ValidatorStakeConnection',
    description: `The stakes of validators, ${listed} For the validators of now alone, see currentValidators, which is faster.`,
    list: validatorStakeList,
    arguments: validatorStakeArguments,
  });
  addListField(builder, 'Query', 'stakingTransactions', {
    type: 'TransactionConnection',
    description: `The transactions that began the stakes of now and of those that wait for their start, ${NEWEST_FIRST}. Empty where validatorStakes is.`,
    list: stakingTransactionList,
    arguments: stakingTransactionArguments,
  });
  addListField(builder, 'Query', 'delegatorStakes', {
    type: 'DelegatorStakeConnection',
    description: `The stakes of delegators, ${listed}`,
    list: delegatorStakeList,
    arguments: delegatorStakeArguments,
  });
}

function registerEnums(builder: Builder): void {
  builder.enumType('ValidationStatus', {
    description: 'What became of the stake of a validator.',
    values: {
      ...statuses,
      removed: { description: 'It was removed from a permissioned subnet before its end.' },
    },
  });
  builder.enumType('DelegationStatus', { description: 'What became of a delegation.', values: statuses });
  builder.enumType('ValidatorStakeSort', {
    description: 'What a list of stakes of validators is sorted by.',
    values: {
      blockIndex: {
        description: 'Time of the block that began the stake, its number, and the position in it.',
      },
      delegationCapacity: { description: 'What can still be delegated to the validator.' },
      timeRemaining: { description: 'End of the period.' },
      delegationFee: { description: "Share of its delegators' rewards that the validator keeps." },
      uptimePerformance: {
        description:
          'How much of its period the followed node has seen the validator online; as 0 where no node has said it.',
      },
    },
  });
}

function registerEdges(builder: Builder): void {
  for (const type of ['ValidatorStake', 'DelegatorStake'] as const)
    builder.objectFields(type, (t) => ({
      validator: rowField(t, {
        type: 'Validator',
        description: 'The node that validates; null when no indexed P-chain transaction names it.',
        find: findValidators,
        of: ({ network, nodeId }) => ({ network, nodeId }),
      }),
      transaction: rowField(t, {
        type: 'Transaction',
        description: 'The transaction that began the stake (txHash).',
        find: findTransactions,
        of: ({ network, txHash }, constant) => ({ network, chain: constant('p'), txHash }),
      }),
    }));
}
