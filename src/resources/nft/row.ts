import { parseEvmAddress } from '../../avalanche/evm.js';
import { parseJson } from '../../json.js';
import type { MetadataStatus } from './store.js';

/** A token as the database hands it out. */
export interface NftTokenRow {
  /** Row id, the position that page tokens carry; a decimal text. */
  id: string;
  /** Its JSON. */
  text: string;
}

/** A token as resolvers see it. */
export interface NftTokenNode {
  rowId: string;
  evmChainId: string;
  /** With the checksum of EIP-55, like owner. */
  address: string;
  tokenId: string;
  owner?: string;
  lastTransferBlock?: string;
  lastTransferTimestamp?: number | bigint;
  lastTransferTxHash?: string;
  status: MetadataStatus;
  failureReason?: string;
  /** Milliseconds since 1970. */
  reindexRequestedAt?: number;
  /** Whether there is a document. */
  fetched: boolean;
}

export interface NftAttributeNode {
  traitType: string | null;
  value: string | null;
  displayType: string | null;
}

/** What was read of a token; its document as it was read is left out. */
export interface NftMetadataNode {
  rowId: string;
  standard: 'ERC-721' | 'ERC-1155';
  address: string;
  name?: string;
  description?: string;
  image?: string;
  attributes: NftAttributeNode[];
  /** Seconds since 1970. */
  fetchedAt: number;
}

export function toNftTokenNode({ id, text }: NftTokenRow): NftTokenNode {
  const node = parseJson(text) as NftTokenNode;
  node.rowId = id;
  node.address = parseEvmAddress(node.address) ?? node.address;
  if (node.owner) node.owner = parseEvmAddress(node.owner) ?? node.owner;
  return node;
}

export function toNftMetadataNode({ id, text }: NftTokenRow): NftMetadataNode {
  return Object.assign(parseJson(text) as NftMetadataNode, { rowId: id });
}
