import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { AssetAmountNode } from '../asset/schema.js';

/** A UTXO as the database hands it out. */
export interface UtxoRow {
  /** Row id, the position that page tokens carry; a decimal text. */
  id: string;
  network: Network;
  /** The specification's JSON of the output. */
  text: string;
  /** Which zeros of the text stand for "unknown": 1 the block number, 2 the block timestamp. */
  unknown: number;
}

/** A 64-bit number as parseJson reads it. */
export type LongValue = number | bigint;

/** A UTXO as resolvers see it: the row's JSON, what is unknown as null. */
export interface UtxoNode {
  rowId: string;
  network: Network;
  utxoId: string;
  txHash: string;
  outputIndex: LongValue;
  addresses: string[];
  threshold?: LongValue;
  assetId: string;
  amount: string;
  asset: AssetAmountNode;
  utxoType: 'STAKE' | 'TRANSFER';
  staked?: boolean;
  createdOnChainId: string;
  consumedOnChainId: string;
  blockNumber: string | null;
  blockTimestamp: LongValue | null;
  consumingTxHash?: string;
  consumingBlockNumber?: string;
  consumingBlockTimestamp?: LongValue;
  platformLocktime?: LongValue;
  stakeableLocktime?: LongValue;
  rewardType?: 'VALIDATOR' | 'DELEGATOR' | 'VALIDATOR_FEE';
  utxoStartTimestamp?: LongValue;
  utxoEndTimestamp?: LongValue;
  utxoBytes?: string;
}

export function toUtxoNode({ id, network, text, unknown }: UtxoRow): UtxoNode {
  const node = parseJson(text) as UtxoNode;
  node.rowId = id;
  node.network = network;
  if (unknown & 1) node.blockNumber = null;
  if (unknown & 2) node.blockTimestamp = null;
  return node;
}
