import { readArguments } from '../../src/arguments/argument.js';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { currentDelegationList } from '../../src/resources/delegation/list.js';
import { chainList } from '../../src/resources/chain/list.js';
import { currentL1ValidatorArguments } from '../../src/resources/l1-validator/arguments.js';
import { currentL1ValidatorList } from '../../src/resources/l1-validator/current-list.js';
import {
  l1ValidatorChangeList,
  l1ValidatorList,
  nodeL1ValidatorList,
  subnetL1ValidatorList,
} from '../../src/resources/l1-validator/list.js';
import {
  chainCreationList,
  conversionList,
  subnetChainList,
  subnetList,
  subnetTransactionList,
} from '../../src/resources/subnet/list.js';
import {
  delegationList,
  rewardList,
  stakingPeriodList,
  validatorList,
  validatorTransactionList,
} from '../../src/resources/validator/list.js';
import { pendingRewardList, rewardTransactionList } from '../../src/resources/reward/list.js';
import { historicalRewardList, networkPendingList } from '../../src/resources/reward/network-list.js';
import {
  delegatorStakeArguments,
  stakingTransactionArguments,
  validatorStakeArguments,
} from '../../src/resources/stake/arguments.js';
import { delegatorStakeList } from '../../src/resources/stake/delegator-list.js';
import { validatorStakeList } from '../../src/resources/stake/list.js';
import { stakingTransactionList } from '../../src/resources/stake/transaction-list.js';
import { currentValidatorArguments } from '../../src/resources/subnet-validator/arguments.js';
import { currentValidatorList, subnetValidatorList } from '../../src/resources/subnet-validator/list.js';
import { SUBNET } from './evm-data.js';
import { ask, type ListCase } from './lists.js';

const network = 'mainnet';
const first = { rowId: '1' };
const all = { txType: null, txTypes: null, since: null, until: null };
const times = { since: '1600000000', until: '1800000000' };

const present = readArguments(currentValidatorArguments, { network });
const presentL1 = readArguments(currentL1ValidatorArguments, { network });

/** What transactions name, and who stakes: see makeNamed. */
export function namedLists(hot: string): ListCase[] {
  return [
    ask(subnetList, 'of a network', { network }),
    ask(subnetTransactionList, 'of a subnet', { ...first, ...all }),
    ask(subnetTransactionList, 'of a type', { ...first, ...all, txType: 'CreateChainTx' }),
    ask(subnetTransactionList, 'of two types', {
      ...first,
      ...all,
      txTypes: ['CreateChainTx', 'ConvertSubnetToL1Tx'],
    }),
    ask(subnetTransactionList, 'within times', { ...first, ...all, ...times }),
    ask(chainCreationList, 'of a subnet', first),
    ask(conversionList, 'of a subnet', { rowId: '2' }),
    ask(chainList, 'all', { network: null, feature: null }),
    ask(chainList, 'of a network', { network, feature: null }),
    ask(subnetChainList, 'of a subnet', { network, subnetId: SUBNET }),
    ask(validatorList, 'of a network', { network }),
    ask(subnetValidatorList, 'of a subnet', first),
    ...(['weight', 'endTimestamp', 'delegationFee'] as const).map((sortBy) =>
      ask(currentValidatorList, `by ${sortBy}`, { ...present, sortBy }),
    ),
    ask(currentDelegationList, 'to a validator', { network, subnetId: ZERO_ID, nodeId: '0000001' }),
    ...(['balance', 'weight'] as const).flatMap((sortBy) => [
      ask(currentL1ValidatorList, `of a network by ${sortBy}`, { ...presentL1, sortBy }),
      ask(currentL1ValidatorList, `of a subnet by ${sortBy}`, { ...presentL1, subnetId: '0000001', sortBy }),
    ]),
    ...stakeLists(hot),
    ask(pendingRewardList, 'of an address', { network, address: hot }),
    ask(rewardTransactionList, 'of an address', { network, address: hot, ...all }),
    ask(rewardTransactionList, 'of a type', { network, address: hot, ...all, txType: 'AddValidatorTx' }),
    ask(validatorTransactionList, 'of a validator', { ...first, ...all }),
    ask(validatorTransactionList, 'of a type', { ...first, ...all, txType: 'AddValidatorTx' }),
    ask(validatorTransactionList, 'within times', { ...first, ...all, ...times }),
    ask(stakingPeriodList, 'of a validator', first),
    ask(delegationList, 'of a validator', { rowId: '2' }),
    ask(rewardList, 'of a validator', { rowId: '3' }),
    ask(l1ValidatorList, 'of a network', { network }),
    ask(subnetL1ValidatorList, 'of a subnet', first),
    ask(nodeL1ValidatorList, 'of a node', first),
    ask(l1ValidatorChangeList, 'of an L1 validator', first),
  ];
}

/**
 * Stakes of now and of the past, and what they are paid. Validators of now are some thousands, and few
 * stakes wait: neither has a far page. Values of names need not have their form here.
 */
function stakeLists(hot: string): ListCase[] {
  const stakes = readArguments(validatorStakeArguments, { network });
  const delegations = readArguments(delegatorStakeArguments, { network });
  const staking = readArguments(stakingTransactionArguments, { network });
  const rewards = { network, sortOrder: 'desc', addresses: null, nodeIds: null } as const;
  return [
    ask(validatorStakeList, 'of a network', stakes),
    ask(validatorStakeList, 'of a node', { ...stakes, nodeId: 'node' }),
    ask(validatorStakeList, 'of a subnet', { ...stakes, subnetId: 'subnet' }),
    ask(delegatorStakeList, 'of a network', delegations),
    ask(delegatorStakeList, 'to a node', { ...delegations, nodeIds: ['node'] }),
    ask(delegatorStakeList, 'of an address', { ...delegations, rewardAddresses: [hot] }),
    ask(stakingTransactionList, 'of a network', staking),
    ask(stakingTransactionList, 'of an address', { ...staking, addresses: [hot] }),
    ask(networkPendingList, 'of an address', { ...rewards, addresses: [hot] }),
    ask(historicalRewardList, 'of an address', { ...rewards, addresses: [hot] }),
    ask(historicalRewardList, 'for a node', { ...rewards, nodeIds: ['0000003'] }),
    ask(historicalRewardList, 'of an address for two nodes', {
      ...rewards,
      addresses: [hot],
      nodeIds: ['0000003', '0000009'],
    }),
    ask(networkPendingList, 'for a node', { ...rewards, nodeIds: ['node'] }),
    ask(networkPendingList, 'of an address for a node', { ...rewards, addresses: [hot], nodeIds: ['node'] }),
    ask(delegatorStakeList, 'of now to a node', {
      ...delegations,
      delegationStatus: 'active',
      nodeIds: ['node'],
    }),
  ];
}
