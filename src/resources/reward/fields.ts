import type { Network } from '../../avalanche/networks.js';
import { addresses, boolean, digits, fieldsText, id, is, nodeId, whole } from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';
import { stakerTable } from '../../state/staking.js';
import { isDelegation, isStaking } from '../reference/present.js';

const staker = stakerTable.as('f');

/** The fields of a reward that is not paid yet, over the stake `f` and its `transaction t`. */
export const pendingRewardFields = {
  txHash: { sql: staker.txId, ...is(id, 'Hash of the P-chain transaction that began the stake, CB58') },
  nodeId: { sql: staker.nodeId, ...is(nodeId, 'Id of the node that validates, NodeID-…') },
  subnetId: {
    sql: staker.subnetId,
    ...is(id, 'Id of the subnet, CB58; that of the primary network is 111…LpoYY'),
  },
  isDelegation: {
    sql: isDelegation,
    ...is(boolean, 'Whether it is the stake of a delegator; false: of the validator'),
  },
  weight: { sql: staker.weight, ...is(whole, 'What is staked: nAVAX on the primary network') },
  startTimestamp: { sql: staker.startTime, ...is(whole, 'Start of its present period, Unix seconds') },
  endTimestamp: {
    sql: staker.endTime,
    ...is(whole, 'End of its present period, when it is paid if it is rewarded, Unix seconds'),
  },
  potentialReward: {
    sql: `CASE WHEN ${isStaking} THEN ${staker.potentialReward}::text END`,
    ...is(
      digits,
      "What is paid for the stake if it is rewarded, in the smallest unit of the subnet's asset: nAVAX on the primary network. Of a delegator's its validator keeps a share",
      'while the stake waits for its start',
    ),
  },
  delegateeReward: {
    sql: `${staker.delegateeReward}::text`,
    ...is(
      digits,
      'What a validator has earned so far with delegators that have ended, paid at its own end, in the same unit; 0 for a delegator',
    ),
  },
  rewardAddresses: {
    sql: "(t.details->'rewardAddresses')::text",
    ...is(addresses, 'All addresses that the transaction names as those who are paid'),
  },
} satisfies Fields;

/** A reward that is not paid yet, as resolvers see it. */
export type PendingRewardNode = NodeOf<typeof pendingRewardFields> & { rowId: string; network: Network };

/** The source of a reward that is not paid yet. */
export const pendingRewardRows = {
  from: `transaction t JOIN ${staker.from} ON ${staker.network} = t.network AND ${staker.txId} = t.tx_hash`,
  columns: { id: 't.id::text', network: 't.network', text: fieldsText(pendingRewardFields) },
  toNode: nodeWith('network'),
} satisfies NodeSource<PendingRewardNode>;

export const pendingRewardKeys = {
  network: 't.network',
  nodeId: staker.nodeId,
  subnetId: staker.subnetId,
  txHash: 't.tx_hash',
};
