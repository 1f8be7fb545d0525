import type { Network } from '../../avalanche/networks.js';
import {
  addresses,
  choice,
  digits,
  double,
  fieldsText,
  id,
  is,
  object,
  ofMembers,
  plain,
  small,
  nodeId,
  whole,
} from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';
import type { DetailObjects } from '../transaction/details.js';
import * as sql from './columns.js';
import { published, validatorStateFields, when, type StakeRewards } from './details.js';

export const validationStatuses = ['completed', 'active', 'pending', 'removed'] as const;
export type ValidationStatus = (typeof validationStatuses)[number];
export const delegationStatuses = ['completed', 'active', 'pending'] as const;
export type DelegationStatus = (typeof delegationStatuses)[number];

const rewards = object<StakeRewards>('StakeRewards');
const owners = "(t.details->'rewardAddresses')::text";
const rewardsText = (own: string, shared: string) =>
  ofMembers([
    { name: 'validationRewardAmount', form: 'plain', sql: own },
    { name: 'delegationRewardAmount', form: 'plain', sql: shared },
    { name: 'rewardAddresses', form: 'json', sql: owners, optional: true },
    { name: 'rewardTxHash', form: 'plain', sql: "t.details->>'rewardTxHash'", optional: true },
  ]).sql;

const common = {
  txHash: { sql: 't.tx_hash', ...is(id, 'Hash of the P-chain transaction that began the stake, CB58') },
  nodeId: { sql: sql.node, ...is(nodeId, 'Id of the node, NodeID-…') },
} satisfies Fields;

const period = {
  startTimestamp: { sql: sql.startTime, ...is(whole, 'Start of its period, Unix seconds') },
  endTimestamp: { sql: sql.endTime, ...is(whole, 'End of its period, Unix seconds, even if removed before') },
} satisfies Fields;

/** The fields of a validator's stake. */
export const validatorStakeFields = {
  ...common,
  subnetId: {
    sql: sql.subnet,
    ...is(id, 'Id of the subnet, CB58; that of the primary network is 111…LpoYY'),
  },
  amountStaked: {
    sql: sql.amount,
    ...is(
      digits,
      "Its own stake, in the smallest unit of the subnet's asset. In a permissioned subnet its weight, 0 after its end",
    ),
  },
  delegationFee: {
    sql: sql.feePercent,
    ...is(plain, "Share of its delegators' rewards that it keeps, percent", 'in a permissioned subnet'),
  },
  ...period,
  blsCredentials: {
    sql: "(t.details->'blsCredentials')::text",
    ...is(object<DetailObjects['BlsCredentials']>('BlsCredentials'), 'Its BLS key', 'for one without'),
  },
  validationStatus: {
    sql: sql.status,
    ...is(
      choice('ValidationStatus', validationStatuses),
      'Whether it validates, waits for its start, has ended, or was removed from a permissioned subnet before its end',
    ),
  },
  stakePercentage: {
    sql: when(sql.isActive, sql.percentage),
    ...is(
      double,
      'Its own stake as a part of all that stakes in the subnet, percent',
      'when it is not active',
    ),
  },
  delegatorCount: {
    sql: when(`(${sql.status}) IN ('active', 'completed')`, sql.delegatorCount),
    ...is(
      small,
      'Number of the delegations to it that have started; after its end, of all that it had',
      'when it is neither active nor completed',
    ),
  },
  amountDelegated: {
    sql: when(`(${sql.status}) IN ('active', 'completed')`, sql.delegated),
    ...is(
      digits,
      'What they delegate, in the same unit',
      'in a permissioned subnet, and when it is neither active nor completed',
    ),
  },
  delegationCapacity: {
    sql: sql.capacity,
    ...is(
      digits,
      'What can still be delegated to it, nAVAX',
      'outside of the primary network, and when it is not active',
    ),
  },
  potentialRewards: {
    sql: when(sql.isActive, rewardsText(`${sql.staker.potentialReward}::text`, sql.delegateeReward)),
    ...is(
      rewards,
      'What it is paid at its end if it and its present delegators are rewarded',
      'when it is not active',
    ),
  },
  rewards: {
    sql: when(sql.isCompleted, rewardsText(sql.paid('VALIDATOR'), sql.paid('VALIDATOR_FEE'))),
    ...is(rewards, 'What the transaction that ended it paid', 'when it is not completed'),
  },
  removeTxHash: {
    sql: sql.removal('r.tx_hash'),
    ...is(id, 'Hash of the transaction that removed it, CB58', 'when it was not removed'),
  },
  removeTimestamp: {
    sql: sql.removal('r.block_timestamp'),
    ...is(whole, 'When that was, Unix seconds', 'when it was not removed'),
  },
} satisfies Fields;

/** The fields of a delegator's stake. */
export const delegatorStakeFields = {
  ...common,
  rewardAddresses: { sql: `coalesce(${owners}, '[]')`, ...is(addresses, 'Addresses that are paid') },
  amountDelegated: {
    sql: sql.amount,
    ...is(digits, "What it delegates, in the smallest unit of the subnet's asset"),
  },
  delegationFee: {
    sql: sql.feeOfValidator,
    ...is(plain, 'Share of its reward that its validator keeps, percent'),
  },
  ...period,
  delegationStatus: {
    sql: sql.status,
    ...is(
      choice('DelegationStatus', delegationStatuses),
      'Whether it stakes, waits for its start, or has ended',
    ),
  },
  estimatedGrossReward: {
    sql: when(`NOT ${sql.isCompleted}`, sql.gross),
    ...is(digits, "What is paid for it if it is rewarded, its validator's share included", 'after its end'),
  },
  estimatedNetReward: {
    sql: when(`NOT ${sql.isCompleted}`, sql.net),
    ...is(digits, "The same without its validator's share", 'after its end'),
  },
  grossReward: {
    sql: when(sql.isCompleted, `CASE WHEN ${sql.isRewarded} THEN ${sql.gross} ELSE '0' END`),
    ...is(digits, "What was paid for it, its validator's share included", 'before its end'),
  },
  netReward: {
    sql: when(sql.isCompleted, sql.paid('DELEGATOR')),
    ...is(digits, "The same without its validator's share", 'before its end'),
  },
} satisfies Fields;

interface Placed {
  /** Row id, a decimal text. */
  rowId: string;
  network: Network;
}
export type ValidatorStakeNode = NodeOf<typeof validatorStakeFields & typeof validatorStateFields> & Placed;
export type DelegatorStakeNode = NodeOf<typeof delegatorStakeFields> & Placed;

export const publishedValidatorFields: Fields = { ...validatorStakeFields, ...published };

export const validatorStakeRows = {
  from: sql.stakeFrom,
  columns: {
    id: 't.id::text',
    network: 't.network',
    uptimePercent: validatorStateFields.uptimePercent.sql,
    text: fieldsText(publishedValidatorFields),
  },
  toNode: nodeWith('network', 'uptimePercent'),
} satisfies NodeSource<ValidatorStakeNode>;

export const delegatorStakeRows = {
  from: sql.stakeFrom,
  columns: { id: 't.id::text', network: 't.network', text: fieldsText(delegatorStakeFields) },
  toNode: nodeWith('network'),
} satisfies NodeSource<DelegatorStakeNode>;

export const stakeKeys = { network: 't.network', nodeId: sql.node, txHash: 't.tx_hash' };
