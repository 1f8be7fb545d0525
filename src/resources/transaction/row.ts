import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { AssetAmountNode } from '../asset/schema.js';
import type { TxType } from './tx-types.js';
import type { LongValue, UtxoRow } from '../utxo/row.js';

/** A transaction as the database hands it out. */
export interface TransactionRow {
  /** Row id, the position that page tokens carry; a decimal text. */
  id: string;
  network: Network;
  chain: PrimaryChain;
  /** The specification's JSON of the transaction, without consumedUtxos and emittedUtxos. */
  text: string;
  /** Which values of the text stand for "unknown": 1 the block number, 2 the block hash. */
  unknown: number;
}

/** One output in a transaction's list. */
export type TransactionUtxoRow = UtxoRow;

export interface BlsCredentials {
  publicKey: string;
  proofOfPossession: string;
}

export interface L1ValidatorDetails {
  validationId: string;
  validationIdHex?: string;
  nodeId: string;
  subnetId: string;
  weight: LongValue;
  remainingBalance: LongValue;
  balanceChange?: LongValue;
  blsCredentials?: BlsCredentials;
}

/** A transaction as resolvers see it: the row's JSON, what is unknown as null. */
export interface TransactionNode {
  rowId: string;
  network: Network;
  chain: PrimaryChain;
  /** The row's JSON text, for REST. */
  text: string;
  txHash: string;
  txType: TxType;
  blockTimestamp: LongValue;
  blockNumber: string | null;
  blockHash: string | null;
  sourceChain?: string;
  destinationChain?: string;
  value: AssetAmountNode[];
  amountBurned: AssetAmountNode[];
  amountStaked: AssetAmountNode[];
  amountL1ValidatorBalanceBurned: AssetAmountNode[];
  startTimestamp?: LongValue;
  endTimestamp?: LongValue;
  delegationFeePercent?: string;
  nodeId?: string;
  subnetId?: string;
  l1ValidatorManagerDetails?: { blockchainId: string; contractAddress: string };
  l1ValidatorDetails?: L1ValidatorDetails[];
  estimatedReward?: string;
  rewardTxHash?: string;
  rewardAddresses?: string[];
  memo?: string;
  stakingTxHash?: string;
  subnetOwnershipInfo?: { locktime: LongValue; threshold: LongValue; addresses: string[] };
  blsCredentials?: BlsCredentials;
  blockchainInfo?: { chainName: string; vmId: string; genesisData?: string | GenesisNode };
}

export type GenesisNode = Record<string, unknown>;

export function toTransactionNode({ id, network, chain, text, unknown }: TransactionRow): TransactionNode {
  const node = parseJson(text) as TransactionNode;
  node.rowId = id;
  node.network = network;
  node.chain = chain;
  node.text = text;
  if (unknown & 1) node.blockNumber = null;
  if (unknown & 2) node.blockHash = null;
  return node;
}
