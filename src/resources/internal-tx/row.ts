import { parseJson } from '../../json.js';
import type { LongValue } from '../utxo/row.js';

/** The types of frames that are stored (contract.md, "Vertices, internal transactions"). */
export const internalTxTypes = ['CALL', 'CALLCODE', 'CREATE', 'CREATE2', 'CREATE3'] as const;
export type InternalTxType = (typeof internalTxTypes)[number];

/** An internal transaction as the database hands it out. */
export interface InternalTxRow {
  /** Row id, the position that page tokens carry; a decimal text. */
  id: string;
  /** The specification's JSON of the internal transaction. */
  text: string;
  evmChainId: string;
  position: number;
  /** Tells frames of one position apart; a decimal text. */
  tie: string;
}

export interface TokenPartyNode {
  address: string;
  name?: string;
  symbol?: string;
  decimals?: number;
  logoUri?: string;
  /** The chain on which the address is meant. */
  evmChainId: string;
}

/** An internal transaction as resolvers see it: the row's JSON. */
export interface InternalTxNode {
  evmChainId: string;
  position: number;
  tie: string;
  blockNumber: string;
  blockTimestamp: LongValue;
  blockHash: string;
  txHash: string;
  from: TokenPartyNode;
  to: TokenPartyNode;
  internalTxType: InternalTxType;
  value: string;
  isReverted: boolean;
  gasUsed: string;
  gasLimit: string;
}

export function toInternalTxNode({ text, evmChainId, position, tie }: InternalTxRow): InternalTxNode {
  const node = parseJson(text) as InternalTxNode;
  node.from.evmChainId = evmChainId;
  node.to.evmChainId = evmChainId;
  return Object.assign(node, { evmChainId, position, tie });
}
