import type { Network } from '../../avalanche/networks.js';
import {
  addresses,
  boolean,
  choice,
  digits,
  fieldsText,
  id,
  is,
  nodeId,
  object,
  whole,
} from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';
import { stakerTable, stakingTable } from '../../state/staking.js';
import { assetAmount, type AssetAmountNode } from '../asset/fields.js';
import { nativeAssetIdSql } from '../primary-chain/fields.js';
import { isDelegation, isStaking } from '../reference/present.js';
import { rewardTypes } from '../utxo/fields.js';

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

const staking = stakingTable.as('c');
/** The members that REST has of such a reward. */
const { txHash, nodeId: node, startTimestamp, endTimestamp, rewardAddresses } = pendingRewardFields;
const rewardType = choice('RewardType', rewardTypes);
export const publishedPendingFields = {
  addresses: { sql: `coalesce(${rewardAddresses.sql}, '[]')`, ...is(addresses, rewardAddresses.description) },
  txHash,
  amountStaked: { sql: `${staker.weight}::text`, ...is(digits, 'What is staked, nAVAX') },
  nodeId: node,
  startTimestamp,
  endTimestamp,
  rewardType: {
    sql: `CASE WHEN ${isDelegation} THEN 'DELEGATOR' ELSE 'VALIDATOR' END`,
    ...is(rewardType, 'Whether the stake delegates'),
  },
  progress: {
    sql: `(SELECT least(100, greatest(0, floor(100 * (${staking.chainTime} - ${staker.startTime}) / (${staker.endTime} - ${staker.startTime}))))
      FROM ${staking.from} WHERE ${staking.network} = t.network)`,
    ...is(whole, 'How much of the period has passed at the time of the chain, whole percent, 0 to 100'),
  },
  estimatedReward: {
    ...assetAmount(
      `coalesce(CASE WHEN ${isStaking} THEN ${staker.potentialReward} END, (t.details->>'estimatedReward')::numeric, 0)`,
    ),
    ...is(
      object<AssetAmountNode>('AssetAmount'),
      "What is paid if the stake is rewarded; of a delegator's its validator keeps a share. 0 where it is not known",
    ),
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

/** The same for a list that REST has too: its text is the published one. */
export const publishedPendingRows = {
  from: `${pendingRewardRows.from}
    JOIN asset a ON a.network = t.network AND a.asset_id = ${nativeAssetIdSql('t.network')}`,
  columns: {
    id: 't.id::text',
    network: 't.network',
    text: fieldsText(publishedPendingFields),
    node: pendingRewardRows.columns.text,
  },
  toNode: ({ node: text, ...row }: { id: string; node: string; network: Network }) =>
    pendingRewardRows.toNode({ ...row, text }),
} satisfies NodeSource<PendingRewardNode>;

export const pendingRewardKeys = {
  network: 't.network',
  nodeId: staker.nodeId,
  subnetId: staker.subnetId,
  txHash: 't.tx_hash',
};
