import {
  parseBlockchainId,
  primaryChains,
  chainName,
  type Network,
  type PrimaryChain,
} from '../../avalanche/networks.js';
import { tieOf } from '../../avalanche/tie.js';
import {
  asAddress,
  asBoolean,
  asDigits,
  asId,
  asList,
  asMember,
  asObject,
  asRowId,
  asText,
  asWhole,
  INT64_MAX,
  optional,
  UINT64_MAX,
  wrong,
  type Check,
} from '../../ingest/check.js';
import { asUtxoAmount, type ImportAsset } from '../asset/import-store.js';

/** A UTXO as an import writes it: the columns of the table `utxo` as PostgreSQL's texts. NULL means unknown or none. */
export interface UtxoRecord {
  utxo_id: string;
  tx_hash: string;
  output_index: string;
  created_on: PrimaryChain;
  consumed_on: PrimaryChain;
  asset_id: string;
  amount: string;
  /** The text of an array, `{a,b}`; addresses need no quotes in it. */
  addresses: string;
  threshold: string | null;
  utxo_type: string;
  reward_type: string | null;
  staked: 'true' | 'false' | null;
  block_number: string | null;
  block_timestamp: string | null;
  consuming_tx_hash: string | null;
  consuming_block_number: string | null;
  consuming_block_timestamp: string | null;
  platform_locktime: string | null;
  stakeable_locktime: string | null;
  utxo_start_timestamp: string | null;
  utxo_end_timestamp: string | null;
  /** `\x` and hex. */
  utxo_bytes: string | null;
  tie: string;
}

/** A UTXO of an import row, with what the row says of its asset. */
export interface ImportUtxo {
  record: UtxoRecord;
  asset: ImportAsset;
  /** The id that it had where it was exported. */
  rowId: string | null;
}

const asIndex = asWhole(INT64_MAX);
const asLong = asWhole(UINT64_MAX);
const asBlock = asDigits(UINT64_MAX);
const asUtxoType = asMember(['STAKE', 'TRANSFER']);
const asRewardType = asMember(['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE']);

/**
 * Reads a UTXO in the specification's shape.
 *
 * @throws RowError
 */
export function readUtxo(value: unknown, network: Network, name = 'the line'): ImportUtxo {
  const row = asObject(value, name);
  const asChain = chainOf(network);
  const { asset, amount } = asUtxoAmount(row.asset, row.assetId, row.amount);
  const utxoId = asId(row.utxoId, 'utxoId');
  const staked = optional(asBoolean, row.staked, 'staked');
  const record: UtxoRecord = {
    utxo_id: utxoId,
    tx_hash: asId(row.txHash, 'txHash'),
    output_index: asIndex(row.outputIndex, 'outputIndex'),
    created_on: asChain(row.createdOnChainId, 'createdOnChainId'),
    consumed_on: asChain(row.consumedOnChainId, 'consumedOnChainId'),
    asset_id: asset.assetId,
    amount,
    addresses: `{${asList(asAddress(network))(row.addresses, 'addresses').join(',')}}`,
    threshold: optional(asIndex, row.threshold, 'threshold'),
    utxo_type: asUtxoType(row.utxoType, 'utxoType'),
    reward_type: optional(asRewardType, row.rewardType, 'rewardType'),
    staked: staked === null ? null : staked ? 'true' : 'false',
    block_number: asBlockNumber(row.blockNumber, 'blockNumber'),
    block_timestamp: optional(asLong, row.blockTimestamp, 'blockTimestamp'),
    consuming_tx_hash: optional(asId, row.consumingTxHash, 'consumingTxHash'),
    consuming_block_number: asBlockNumber(row.consumingBlockNumber, 'consumingBlockNumber'),
    consuming_block_timestamp: optional(asLong, row.consumingBlockTimestamp, 'consumingBlockTimestamp'),
    platform_locktime: optional(asLong, row.platformLocktime, 'platformLocktime'),
    stakeable_locktime: optional(asLong, row.stakeableLocktime, 'stakeableLocktime'),
    utxo_start_timestamp: optional(asLong, row.utxoStartTimestamp, 'utxoStartTimestamp'),
    utxo_end_timestamp: optional(asLong, row.utxoEndTimestamp, 'utxoEndTimestamp'),
    utxo_bytes: optional(asBytes, row.utxoBytes, 'utxoBytes'),
    tie: tieOf(utxoId).toString(),
  };
  return { record, asset, rowId: asRowId(row.rowId) };
}

/** A block number; an absent or empty one is unknown. */
export function asBlockNumber(value: unknown, name: string): string | null {
  return value === '' ? null : optional(asBlock, value, name);
}

function chainOf(network: Network): Check<PrimaryChain> {
  return (value, name) => {
    const chain = typeof value === 'string' ? parseBlockchainId(network, value) : null;
    if (chain) return chain;
    throw wrong(name, value, `the id of ${primaryChains.map(chainName).join(', ')} of ${network}`);
  };
}

function asBytes(value: unknown, name: string): string {
  const text = asText(value, name);
  if (/^0x(?:[0-9a-f]{2})*$/i.test(text)) return `\\x${text.slice(2).toLowerCase()}`;
  throw wrong(name, value, 'bytes in hex with 0x');
}
