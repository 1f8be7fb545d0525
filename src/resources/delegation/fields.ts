import type { Network } from '../../avalanche/networks.js';
import { boolean, digits, fieldsText, id, is, nodeId, whole } from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';
import { stakerTable } from '../../state/staking.js';
import { isStaking } from '../reference/present.js';

const staker = stakerTable.as('f');

/** The fields of a delegation that stakes or waits, over staker `f`. */
export const delegationFields = {
  txHash: { sql: staker.txId, ...is(id, 'Hash of the P-chain transaction that delegated, CB58') },
  nodeId: { sql: staker.nodeId, ...is(nodeId, 'Id of the node to which it delegates, NodeID-…') },
  subnetId: { sql: staker.subnetId, ...is(id, 'Id of the subnet, CB58') },
  isActive: { sql: isStaking, ...is(boolean, 'Whether it has started; false while it waits for its start') },
  weight: { sql: staker.weight, ...is(whole, 'What it delegates: nAVAX on the primary network') },
  startTimestamp: { sql: staker.startTime, ...is(whole, 'Its start, Unix seconds') },
  endTimestamp: { sql: staker.endTime, ...is(whole, 'Its end, Unix seconds') },
  potentialReward: {
    sql: `CASE WHEN ${isStaking} THEN ${staker.potentialReward}::text END`,
    ...is(
      digits,
      'What is paid for it if it is rewarded, the share of the validator included, in the smallest unit of the asset of the subnet',
      'while it waits for its start',
    ),
  },
} satisfies Fields;

/** A delegation as resolvers see it. */
export type DelegationNode = NodeOf<typeof delegationFields> & { rowId: string; network: Network };

/** The source of a delegation. */
export const delegationRows = {
  from: staker.from,
  columns: { id: `${staker.id}::text`, network: staker.network, text: fieldsText(delegationFields) },
  toNode: nodeWith('network'),
} satisfies NodeSource<DelegationNode>;

export const delegationKeys = { network: staker.network, nodeId: staker.nodeId, txHash: staker.txId };
