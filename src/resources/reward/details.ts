import type { Network } from '../../avalanche/networks.js';
import {
  choice,
  digits,
  fieldsText,
  id,
  is,
  nodeId,
  object,
  unknownBits,
  unknownRestorer,
  whole,
} from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { parseJson } from '../../json.js';
import type { NodeSource } from '../../lists/list.js';
import { assetAmount, setNetworkOf, type AssetAmountNode } from '../asset/fields.js';
import { rewardTypes, utxoFields } from '../utxo/fields.js';

const unknownStake = 'where the transaction that began the stake is not indexed';
/** SQL of the hash of the transaction that began the stake. */
const stakeHash = "coalesce(t.details->>'stakingTxHash', u.tx_hash)";

/** The fields of a reward that was paid, over `utxo u`, `asset a`, what paid it `t` and what staked `s`. */
export const historicalRewardFields = {
  addresses: utxoFields.addresses,
  txHash: { sql: stakeHash, ...is(id, 'Hash of the transaction that began the stake, CB58') },
  amountStaked: {
    sql: `(SELECT sum((part.value->>'amount')::numeric) FROM jsonb_array_elements(s.details->'amountStaked') AS part(value)
      WHERE part.value->>'assetId' = a.asset_id)`,
    ...is(digits, 'What was staked: nAVAX on the primary network', unknownStake),
    unknown: 0,
  },
  nodeId: {
    sql: "s.details->>'nodeId'",
    ...is(nodeId, 'Id of the node that validated, NodeID-…', unknownStake),
    unknown: '',
  },
  startTimestamp: {
    sql: "(s.details->>'startTimestamp')::numeric",
    ...is(
      whole,
      'Start of the stake, Unix seconds',
      `${unknownStake}, and of a validator that renews itself`,
    ),
    unknown: 0,
  },
  endTimestamp: {
    sql: "(s.details->>'endTimestamp')::numeric",
    ...is(whole, 'End of the stake, Unix seconds', `${unknownStake}, and of a validator that renews itself`),
    unknown: 0,
  },
  rewardType: { sql: 'u.reward_type', ...is(choice('RewardType', rewardTypes), 'What the reward is for') },
  utxoId: utxoFields.utxoId,
  outputIndex: utxoFields.outputIndex,
  reward: {
    ...assetAmount('u.amount'),
    ...is(object<AssetAmountNode>('AssetAmount'), 'The asset and the amount of it that was paid'),
  },
  rewardTxHash: {
    sql: 't.tx_hash',
    ...is(id, 'Hash of the transaction that ended the stake and paid, CB58'),
  },
} satisfies Fields;

/** A reward that was paid, as resolvers see it. */
export type HistoricalRewardNode = NodeOf<typeof historicalRewardFields> & { network: Network };

const restoreUnknown = unknownRestorer(historicalRewardFields);

/** The source of a reward that was paid. */
export const historicalRewardRows = {
  from: `utxo u JOIN asset a ON a.id = u.asset_row_id CROSS JOIN transaction t
    LEFT JOIN transaction s ON s.network = t.network AND s.chain = t.chain AND s.tx_hash = ${stakeHash}`,
  columns: {
    id: 'u.id::text',
    network: 'u.network',
    text: fieldsText(historicalRewardFields),
    unknown: unknownBits(historicalRewardFields),
  },
  toNode: ({ network, text, unknown }: { network: Network; text: string; unknown: number }) => {
    const node = parseJson(text) as HistoricalRewardNode;
    node.network = network;
    setNetworkOf([node.reward], network);
    restoreUnknown(node, unknown);
    return node;
  },
} satisfies NodeSource<HistoricalRewardNode>;

export const historicalRewardKeys = {
  network: 'u.network',
  nodeId: "s.details->>'nodeId'",
  utxoId: 'u.utxo_id',
  txHash: stakeHash,
  rewardTxHash: 't.tx_hash',
};
