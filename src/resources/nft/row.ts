import { parseEvmAddress } from '../../avalanche/evm.js';
import { toHex } from '../../avalanche/hex.js';
import { fieldsText, type NodeOf } from '../../fields/field.js';
import type { NftToken } from '../../generated/prisma/client.js';
import { parseJson } from '../../json.js';
import type { NodeSource } from '../../lists/list.js';
import { nftTokenFields, type metadataFields, type MetadataStatus, type NftAttributeNode } from './fields.js';

/** A token as resolvers see it; addresses with the checksum of EIP-55. */
export type NftTokenNode = NodeOf<typeof nftTokenFields> & { rowId: string };

export type NftMetadataNode = NodeOf<typeof metadataFields> & { rowId: string };

export const nftTokenRows = {
  from: 'nft_token t',
  columns: { id: 't.id', text: fieldsText(nftTokenFields) },
  toNode: ({ id, text }: { id: string; text: string }) => {
    const node = parseJson(text) as NftTokenNode;
    node.rowId = id;
    node.address = parseEvmAddress(node.address) ?? node.address;
    if (node.owner) node.owner = parseEvmAddress(node.owner) ?? node.owner;
    return node;
  },
} satisfies NodeSource<NftTokenNode>;

/** The same, from the token's model. */
export function toStoredTokenNode(token: StoredToken): NftTokenNode {
  const { owner, lastTransferBlock, lastTransferTimestamp, lastTransferTxHash, reindexRequestedAt } = token;
  return {
    rowId: token.id.toString(),
    evmChainId: token.evmChainId.toString(),
    address: toChecksummed(token.address),
    // Not toString(), which writes exponents.
    tokenId: token.tokenId.toFixed(),
    status: token.metadataStatus as MetadataStatus,
    fetched: token.fetchedAt !== null,
    owner: owner && toChecksummed(owner),
    lastTransferBlock: lastTransferBlock && lastTransferBlock.toFixed(),
    lastTransferTimestamp,
    lastTransferTxHash: lastTransferTxHash && toHex(lastTransferTxHash),
    failureReason: token.failureReason,
    reindexRequestedAt: reindexRequestedAt && reindexRequestedAt.getTime(),
  };
}

type StoredToken = Pick<
  NftToken,
  | ('id' | 'evmChainId' | 'address' | 'tokenId' | 'owner' | 'metadataStatus' | 'failureReason' | 'fetchedAt')
  | ('lastTransferBlock' | 'lastTransferTimestamp' | 'lastTransferTxHash' | 'reindexRequestedAt')
>;

/** The bytes of hexadecimal digits with 0x. */
export const toBytes = (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'));

function toChecksummed(bytes: Uint8Array): string {
  const hex = toHex(bytes);
  return parseEvmAddress(hex) ?? hex;
}

/** The metadata of a token that has any. */
export function toStoredMetadataNode(token: StoredMetadata): NftMetadataNode {
  const { name, description, image } = token;
  return {
    rowId: token.id.toString(),
    standard: token.standard as NftMetadataNode['standard'],
    address: token.metadataAddress ?? '',
    name,
    description,
    image,
    attributes: token.attributes as unknown as NftAttributeNode[],
    fetchedAt: Math.floor((token.fetchedAt?.getTime() ?? 0) / 1000),
  };
}

type StoredMetadata = Pick<
  NftToken,
  'id' | 'standard' | 'metadataAddress' | 'name' | 'description' | 'image' | 'attributes' | 'fetchedAt'
>;
