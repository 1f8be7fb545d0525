import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { rowField } from '../../graphql/row-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import type { AddressNode } from '../address/row.js';
import { referenceArguments } from '../reference/arguments.js';
import { notFollowed } from '../reference/present.js';
import { addStakerRows } from '../reference/staker-schema.js';
import { NEWEST_FIRST } from '../transaction/arguments.js';
import { findTransactions } from '../transaction/list.js';
import { findUtxos } from '../utxo/list.js';
import { findValidators } from '../validator/list.js';
import { rewardArguments } from './arguments.js';
import { historicalRewardFields, historicalRewardKeys, type HistoricalRewardNode } from './details.js';
import { pendingRewardFields, pendingRewardKeys, type PendingRewardNode } from './fields.js';
import { pendingRewardList, rewardTransactionList } from './list.js';
import { historicalRewardList, networkPendingList } from './network-list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    PendingReward: PendingRewardNode;
    PendingRewardConnection: ConnectionSource;
    HistoricalReward: HistoricalRewardNode;
    HistoricalRewardConnection: ConnectionSource;
  }
}

const of = {
  network: ({ network }: AddressNode) => network,
  address: ({ address }: AddressNode) => address,
};

/** Registers the rewards of an address: those that were paid, and those of the stakes of now. */
export function registerReward(builder: Builder): void {
  builder.objectType('PendingReward', {
    description:
      'A stake of now, or one that waits for its start, and what is paid at its end if it is rewarded.',
    extensions: sqlOfType({ keys: pendingRewardKeys }),
    fields: (t) => exposeFields(t, pendingRewardFields),
  });
  addStakerRows(builder, 'PendingReward', {
    validator: 'The node that validates; null when no indexed P-chain transaction names it.',
    transaction: 'The transaction that began the stake (txHash); never null while the reward is listed.',
  });
  registerConnection(builder, 'PendingReward', 'rewards that are not paid yet');
  registerHistoricalReward(builder);
  addListField(builder, 'Address', 'pendingRewards', {
    type: 'PendingRewardConnection',
    description: `The stakes of now whose reward the address is paid, alone or with others, at their ends; by their transactions, ${NEWEST_FIRST}. Only of stakes whose transactions are indexed. Empty ${notFollowed}: activeValidators of the primary network is then null.`,
    list: pendingRewardList,
    of,
  });
  addListField(builder, 'Address', 'rewardTransactions', {
    type: 'TransactionConnection',
    description: `The P-chain transactions that are about rewards of the address: those that began a stake and name it as one that is paid (rewardAddresses), and those that ended a stake and paid it a reward, which are those of their emittedUtxos that have a rewardType. With txTypes: [RewardValidatorTx], only what was paid. They are listed ${NEWEST_FIRST}.`,
    list: rewardTransactionList,
    arguments: referenceArguments,
    of,
  });
}

/** Registers rewards that were paid, and the lists of a network's rewards. */
function registerHistoricalReward(builder: Builder): void {
  builder.objectType('HistoricalReward', {
    description: 'A reward of a stake that was paid: one output.',
    extensions: sqlOfType({ keys: historicalRewardKeys }),
    fields: (t) => exposeFields(t, historicalRewardFields),
  });
  builder.objectFields('HistoricalReward', (t) => ({
    utxo: rowField(t, {
      type: 'Utxo',
      description: 'The output that paid it (utxoId).',
      find: findUtxos,
      of: ({ network, utxoId }) => ({ network, utxoId }),
    }),
    validator: rowField(t, {
      type: 'Validator',
      description: 'The node that validated; null where it is unknown.',
      find: findValidators,
      of: ({ network, nodeId }) => ({ network, nodeId }),
    }),
    stakingTransaction: rowField(t, {
      type: 'Transaction',
      description: 'The transaction that began the stake (txHash); null when it is not indexed.',
      find: findTransactions,
      of: ({ network, txHash }, constant) => ({ network, chain: constant('p'), txHash }),
    }),
    rewardTransaction: rowField(t, {
      type: 'Transaction',
      description: 'The transaction that ended the stake and paid (rewardTxHash).',
      find: findTransactions,
      of: ({ network, rewardTxHash }, constant) => ({
        network,
        chain: constant('p'),
        txHash: rewardTxHash,
      }),
    }),
  }));
  registerConnection(builder, 'HistoricalReward', 'rewards that were paid');
  addListField(builder, 'Query', 'historicalRewards', {
    type: 'HistoricalRewardConnection',
    description: `Rewards that were paid to addresses, or for stakes with nodes: one for each output, by the transactions that paid them, ${NEWEST_FIRST}.`,
    list: historicalRewardList,
    arguments: rewardArguments,
  });
  addListField(builder, 'Query', 'pendingRewards', {
    type: 'PendingRewardConnection',
    description: `The stakes of now on the primary network whose rewards addresses are paid, or with nodes; by their transactions, ${NEWEST_FIRST}. Only of stakes whose transactions are indexed. Empty ${notFollowed}.`,
    list: networkPendingList,
    arguments: rewardArguments,
  });
}
