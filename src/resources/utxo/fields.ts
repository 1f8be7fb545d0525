import type { Network } from '../../avalanche/networks.js';
import type { RecordOf } from '../../fields/column.js';
import {
  addresses,
  boolean,
  choice,
  digits,
  fieldsText,
  hex,
  id,
  is,
  object,
  unknownBits,
  unknownRestorer,
  whole,
} from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { asId, asMember, asPeriodSeconds, asSeconds } from '../../rows/check.js';
import { parseJson } from '../../json.js';
import type { NodeSource } from '../../lists/list.js';
import { assetAmount, setNetworkOf, type AssetAmountNode } from '../asset/fields.js';
import { blockchainIdSql } from '../primary-chain/fields.js';
import {
  asBlockNumber,
  asBytes,
  asChain,
  asFlag,
  asIndex,
  asLocktime,
  asOwners,
  asUtxoId,
  spent,
  u,
} from './columns.js';

const utxoTypes = ['STAKE', 'TRANSFER'] as const;
export const rewardTypes = ['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE'] as const;

/** The fields of a UTXO in the order of its JSON, over `utxo u` and `asset a`. */
export const utxoFields = {
  utxoId: {
    ...u('utxo_id', 'text', asUtxoId),
    ...is(id, 'Id of the output within its network: CB58 of SHA-256 of output index and transaction id'),
  },
  txHash: {
    ...u('tx_hash', 'text', asId),
    ...is(id, 'Hash of the transaction that the output belongs to, CB58'),
  },
  outputIndex: {
    ...u('output_index', 'bigint', asIndex),
    ...is(whole, 'Position among the outputs of its transaction, from 0'),
  },
  addresses: {
    ...u('addresses', 'text[]', asOwners),
    sql: 'to_json(u.addresses)::text',
    ...is(
      addresses,
      'Owners, bech32 without chain prefix. Spending requires `threshold` of their signatures',
    ),
  },
  threshold: {
    ...u('threshold', 'bigint', asIndex),
    ...is(whole, 'Number of owners that must sign to spend the output', 'where unknown'),
  },
  assetId: {
    sql: 'a.asset_id',
    ...is(id, 'Id of the asset of the output, CB58'),
  },
  amount: {
    sql: 'u.amount',
    ...is(digits, "Amount in the asset's smallest unit: nAVAX for AVAX"),
  },
  asset: {
    ...assetAmount('u.amount'),
    ...is(object<AssetAmountNode>('AssetAmount'), 'The asset and the amount of it'),
  },
  utxoType: {
    ...u('utxo_type', 'utxo_type', asMember(utxoTypes)),
    ...is(choice('UtxoType', utxoTypes), 'What the output is for'),
  },
  staked: {
    ...u('staked', 'boolean', asFlag),
    ...is(boolean, 'Whether the output is locked in an active stake', 'where unknown'),
  },
  createdOnChainId: {
    ...u('created_on', 'primary_chain', asChain),
    sql: blockchainIdSql('u.network', 'u.created_on'),
    ...is(id, 'Blockchain id of the chain that created the output'),
  },
  consumedOnChainId: {
    ...u('consumed_on', 'primary_chain', asChain),
    sql: blockchainIdSql('u.network', 'u.consumed_on'),
    ...is(
      id,
      'Blockchain id of the chain on which the output was or can be consumed; for an exported output, not the chain that created it',
    ),
  },
  blockNumber: {
    ...u('block_number', 'numeric', asBlockNumber),
    ...is(digits, 'Number of the block that created the output', 'where unknown'),
    unknown: 0,
  },
  blockTimestamp: {
    ...u('block_timestamp', 'numeric', asSeconds),
    ...is(whole, 'When that block was made, Unix seconds', 'where unknown'),
    unknown: 0,
  },
  consumingTxHash: {
    ...u('consuming_tx_hash', 'text', asId),
    ...spent('consuming_tx_hash'),
    ...is(id, 'Hash of the transaction that spent the output', 'while it is unspent or staked'),
  },
  consumingBlockNumber: {
    ...u('consuming_block_number', 'numeric', asBlockNumber),
    ...spent('consuming_block_number'),
    ...is(
      digits,
      'Number of the block that spent the output',
      'while it is unspent or staked, or where unknown',
    ),
  },
  consumingBlockTimestamp: {
    ...u('consuming_block_timestamp', 'numeric', asSeconds),
    ...spent('consuming_block_timestamp'),
    ...is(
      whole,
      'When the output was spent, Unix seconds',
      'while it is unspent or staked, or where unknown',
    ),
  },
  platformLocktime: {
    ...u('platform_locktime', 'numeric', asLocktime),
    ...is(
      whole,
      'Unix seconds until which the output cannot be spent at all; 0 for no lock',
      'where unknown',
    ),
  },
  stakeableLocktime: {
    ...u('stakeable_locktime', 'numeric', asLocktime),
    ...is(whole, 'Unix seconds until which the output can only be staked', 'without such a lock'),
  },
  rewardType: {
    ...u('reward_type', 'reward_type', asMember(rewardTypes)),
    ...is(choice('RewardType', rewardTypes), 'What the reward is for', 'when the output is not a reward'),
  },
  utxoStartTimestamp: {
    ...u('utxo_start_timestamp', 'numeric', asPeriodSeconds),
    ...is(whole, 'Start of the staking period, Unix seconds', 'for an output that is not part of a stake'),
  },
  utxoEndTimestamp: {
    ...u('utxo_end_timestamp', 'numeric', asPeriodSeconds),
    ...is(whole, 'End of the staking period, Unix seconds', 'for an output that is not part of a stake'),
  },
  utxoBytes: {
    ...u('utxo_bytes', 'bytea', asBytes),
    sql: `'0x' || encode(u.utxo_bytes, 'hex')`,
    ...is(hex, 'The encoded output, hex with 0x and a 4-byte checksum at the end', 'where unknown'),
  },
} satisfies Fields;

/** The columns that are read from a row of an import. */
export type UtxoColumns = RecordOf<typeof utxoFields>;

/** A UTXO as resolvers see it: the row's JSON, unknown values as null. */
export type UtxoNode = NodeOf<typeof utxoFields> & { rowId: string; network: Network };

export const utxoRows = {
  // Every output has an asset. The planner drops a LEFT JOIN if nothing is selected from it.
  from: 'utxo u LEFT JOIN asset a ON a.id = u.asset_row_id',
  columns: {
    id: 'u.id',
    network: 'u.network',
    text: fieldsText(utxoFields),
    unknown: unknownBits(utxoFields),
  },
  toNode: toUtxoNode,
} satisfies NodeSource<UtxoNode>;

export const utxoKeys = {
  rowId: 'u.id',
  network: 'u.network',
  consumingTxHash: utxoFields.consumingTxHash.shown,
};

const restoreUnknown = unknownRestorer(utxoFields);

/** @param row `unknown` says which values of the text REST invents */
function toUtxoNode(row: { id: string; network: Network; text: string; unknown: number }): UtxoNode {
  const node = parseJson(row.text) as UtxoNode;
  node.rowId = row.id;
  node.network = row.network;
  setNetworkOf([node.asset], row.network);
  restoreUnknown(node, row.unknown);
  return node;
}
