import { presentPriorities, priorities } from '../../avalanche/chain/staker-order.js';
import { MOST_STAKE, MOST_WEIGHT_FACTOR } from '../../avalanche/chain/stake-limits.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import type { Network } from '../../avalanche/networks.js';
import {
  boolean,
  digits,
  double,
  fieldsText,
  id,
  is,
  nodeId,
  plain,
  small,
  whole,
} from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { nodeOfJson, nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';
import { l1ValidatorTable, stakerTable, stakeTotalTable } from '../../state/staking.js';
import { follows, isStaking, notFollowed } from '../reference/present.js';

const staker = stakerTable.as('f');
const absent = `when it neither validates the subnet nor waits for its start, and ${notFollowed}`;
const unpaid = `for a validator of a permissioned subnet, ${absent}`;

/** SQL of a validator's weight with that of its delegators: an index has it. */
export const totalWeight = `(${staker.weight} + ${staker.delegatedWeight})`;
/** SQL of what can still be delegated to a validator. */
export const capacity = `CASE WHEN ${staker.subnetId} = '${ZERO_ID}' THEN
  greatest(0, least(${MOST_WEIGHT_FACTOR} * ${staker.weight}, ${MOST_STAKE}) - ${totalWeight}) END`;

const known = (sql: string) => `CASE WHEN ${follows('n')} THEN ${sql} END`;
const ofPaid = (sql: string) =>
  `CASE WHEN ${staker.priority} NOT IN (${priorities.pendingPermissioned}, ${priorities.permissioned}) THEN ${sql} END`;
const ofRewarded = (sql: string) =>
  `CASE WHEN ${staker.priority} IN (${priorities.subnetValidator}, ${priorities.validator}) THEN ${sql} END`;

/** The fields of a node `n` as a validator of a subnet, over its present stake there, `f`. */
export const subnetValidatorFields = {
  nodeId: { sql: 'n.node_id', ...is(nodeId, 'Id of the node, NodeID-…') },
  subnetId: {
    sql: 'n.subnet_id',
    ...is(id, 'Id of the subnet, CB58; that of the primary network is 111…LpoYY'),
  },
  isActive: {
    sql: known(`coalesce(${isStaking}, false)`),
    ...is(boolean, 'Whether it validates the subnet after the newest stored block', notFollowed),
  },
  weight: {
    sql: known(`coalesce(${totalWeight}, 0)`),
    ...is(
      whole,
      'Its weight in the subnet then, with that of its delegators: nAVAX on the primary network. While it waits for its start, what it will have; 0 when it does neither',
      notFollowed,
    ),
  },
  ownWeight: { sql: staker.weight, ...is(whole, 'Its weight without its delegators', absent) },
  delegatedWeight: { sql: staker.delegatedWeight, ...is(whole, 'The weight of its delegators', absent) },
  delegatorCount: {
    sql: staker.delegators,
    ...is(small, 'Number of the delegations to it that have started', absent),
  },
  delegationCapacity: {
    sql: capacity,
    ...is(
      whole,
      `What can still be delegated to it, nAVAX: with its delegators it may have ${MOST_WEIGHT_FACTOR} times its own stake, at most 3,000,000 AVAX`,
      `outside of the primary network, ${absent}`,
    ),
  },
  delegationFeePercent: {
    sql: ofPaid(`trim_scale(${staker.shares} / 10000.0)::text`),
    ...is(plain, "Share of its delegators' rewards that it keeps, percent", unpaid),
  },
  uptimePercent: {
    sql: `${staker.uptime}::float8`,
    ...is(
      double,
      'How much of its present period the followed node has seen it online, percent: as it said at most ten minutes before',
      `where no node has said it, ${absent}`,
    ),
  },
  startTimestamp: {
    sql: staker.startTime,
    ...is(whole, 'Start of its present period, Unix seconds', absent),
  },
  endTimestamp: { sql: staker.endTime, ...is(whole, 'End of its present period, Unix seconds', absent) },
  potentialReward: {
    sql: ofRewarded(`${staker.potentialReward}::text`),
    ...is(
      digits,
      "What its own stake is paid if it is rewarded, in the smallest unit of the subnet's asset: nAVAX on the primary network",
      `while it waits for its start, ${unpaid}`,
    ),
  },
  delegateeReward: {
    sql: ofRewarded(`${staker.delegateeReward}::text`),
    ...is(
      digits,
      'What it has earned with delegators that have ended, paid at its own end, in the same unit',
      `while it waits for its start, ${unpaid}`,
    ),
  },
  txHash: {
    sql: staker.txId,
    ...is(id, 'Hash of the P-chain transaction that began its stake, CB58', absent),
  },
} satisfies Fields;

/** A node as a validator of a subnet, as resolvers see it. */
export type SubnetValidatorNode = NodeOf<typeof subnetValidatorFields> & {
  /** Row id, a decimal text. */
  rowId: string;
  network: Network;
};

const text = fieldsText(subnetValidatorFields);
const toNode = nodeWith<SubnetValidatorNode>('network');

/** SQL of whether a staker validates, or waits to: the condition of the indexes of validators. */
export const isValidator = `${staker.priority} IN (${presentPriorities.validators.join(', ')})`;

/** The source of a validator by its stake. */
export const currentValidatorRows = {
  from: `${staker.from} CROSS JOIN LATERAL (SELECT ${staker.network}, ${staker.subnetId}, ${staker.nodeId}) n`,
  columns: { id: `${staker.id}::text`, network: 'n.network', text },
  toNode,
} satisfies NodeSource<SubnetValidatorNode>;

/** The source of a node that may validate no longer, for the keys of a page, which include the subnet. */
export const subnetValidatorRows = {
  from: `validator v CROSS JOIN LATERAL (SELECT v.network, page.subnet_id, v.node_id) n
    LEFT JOIN ${staker.from} ON ${staker.network} = n.network AND ${staker.subnetId} = n.subnet_id COLLATE "default"
      AND ${staker.nodeId} = n.node_id COLLATE "default" AND ${isValidator} AND ${follows('n')}`,
  columns: { id: 'v.id::text', network: 'n.network', text },
  toNode,
} satisfies NodeSource<SubnetValidatorNode>;

/** The keys of its lists and rows. */
export const subnetValidatorKeys = {
  network: 'n.network',
  subnetId: 'n.subnet_id',
  nodeId: 'n.node_id',
  txHash: staker.txId,
};

/** The fields of the sums over a subnet's validators: `n` of its stakers, and `l` of its L1 validators. */
export const subnetTotalsFields = {
  activeValidators: {
    sql: '(n.active + l.active)',
    ...is(small, 'Number of nodes that validate; of an L1 those that pay for each second'),
  },
  pendingValidators: { sql: 'n.pending', ...is(small, 'Number of nodes that wait for their start') },
  weight: {
    sql: '(n.weight + l.weight)::text',
    ...is(
      digits,
      'Sum of the weights of those that validate, with their delegators: nAVAX on the primary network',
    ),
  },
  delegatedWeight: { sql: 'n.delegated_weight::text', ...is(digits, 'The part of it that is delegated') },
  delegatorCount: { sql: 'n.delegators', ...is(small, 'Number of the delegations that have started') },
  potentialReward: {
    sql: 'n.potential_reward::text',
    ...is(
      digits,
      'What all that validate and delegate are paid if they are rewarded, in the smallest unit of the asset',
    ),
  },
  inactiveL1Validators: {
    sql: 'l.inactive',
    ...is(small, 'Number of L1 validators that were not removed and do not validate: they have no balance'),
  },
} satisfies Fields;

export type SubnetTotalsNode = NodeOf<typeof subnetTotalsFields>;

const l1Validator = l1ValidatorTable.as('v');
const total = stakeTotalTable.as('total');

/** The source of the sums of `subnet s`: no row where the state is not known. */
export const subnetTotalsRows = {
  from: `(SELECT * FROM subnet s WHERE ${follows('s')}) s
    LEFT JOIN ${total.from} ON ${total.network} = s.network AND ${total.subnetId} = s.subnet_id COLLATE "default"
    CROSS JOIN LATERAL (
      SELECT coalesce(${total.validators}, 0) AS active, coalesce(${total.waiting}, 0) AS pending,
        coalesce(${total.weight}, 0) AS weight, coalesce(${total.delegatedWeight}, 0) AS delegated_weight,
        coalesce(${total.delegators}, 0) AS delegators, coalesce(${total.potentialReward}, 0) AS potential_reward) n
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE ${l1Validator.endFee} > 0) AS active,
        count(*) FILTER (WHERE ${l1Validator.endFee} = 0) AS inactive,
        coalesce(sum(${l1Validator.weight}) FILTER (WHERE ${l1Validator.endFee} > 0), 0) AS weight
      FROM ${l1Validator.from}
      WHERE ${l1Validator.network} = s.network AND ${l1Validator.subnetId} = s.subnet_id COLLATE "default"
        AND ${l1Validator.weight} > 0) l`,
  columns: { text: fieldsText(subnetTotalsFields) },
  toNode: nodeOfJson,
} satisfies NodeSource<SubnetTotalsNode>;
