import { toBytea } from '../../avalanche/evm.js';
import { inOrder, type Find } from '../../lists/find.js';
import { defineList } from '../../lists/read.js';
import { nftTokenRows } from './fields.js';
import type { NftTokenKey } from './key.js';
import {
  toBytes,
  toHeldMetadataNode,
  toHeldTokenNode,
  type NftMetadataNode,
  type NftTokenNode,
  type NftTokenRow,
} from './row.js';

/** A collection, by its contract. */
export interface Collection {
  /** Null for a chain that is not known: no token is of it. */
  evmChainId: bigint | null;
  /** 0x and 40 hex digits. */
  address: string;
}

/**
 * The tokens of a collection by rising token id. Tokens of which nothing is known but that somebody asked for them are
 * left out: anybody may ask for any number. Cursors are row ids.
 */
export const nftTokenList = defineList<Collection, NftTokenRow>({
  name: 'nft_tokens',
  values: { evmChainId: 'bigint', address: 'bytea' },
  bind: ({ evmChainId, address }) => ({ evmChainId, address: toBytea(address) }),
  ...nftTokenRows,
  // The index nft_token_listed holds these alone.
  where: (value) => `t.evm_chain_id = ${value('evmChainId')} AND t.address = ${value('address')}
    AND (t.owner IS NOT NULL OR t.fetched_at IS NOT NULL)`,
  order: {
    name: '',
    direction: 'asc',
    columns: ['t.token_id'],
    position: (alias) => [`${alias}.token_id`],
  },
  cursor: { table: 'nft_token', at: (alias, id) => `${alias}.id = ${id}` },
  exists: (storage, id) =>
    storage.holds(({ nftToken }) => nftToken.findUnique({ where: { id: BigInt(id) }, select: { id: true } })),
});

/** What a token is without its metadata, which may be long. */
const tokenFields = {
  ...{ id: true, evmChainId: true, address: true, tokenId: true, owner: true },
  ...{ lastTransferBlock: true, lastTransferTimestamp: true, lastTransferTxHash: true },
  ...{ metadataStatus: true, failureReason: true, reindexRequestedAt: true, fetchedAt: true },
} as const;

export const findNftTokens: Find<NftTokenKey, NftTokenNode> = async ({ prisma }, keys) => {
  const held = await prisma.nftToken.findMany({
    where: {
      OR: keys.map(({ evmChainId, address, tokenId }) => ({
        ...{ evmChainId, address: toBytes(address), tokenId: tokenId.toString() },
      })),
    },
    select: tokenFields,
  });
  return inOrder(keys, nameOfToken, held.map(toHeldTokenNode), nameOfToken);
};

export const nameOfToken = ({ evmChainId, address, tokenId }: NftTokenKey | NftTokenNode) =>
  `${evmChainId} ${address.toLowerCase()} ${tokenId}`;

/** What was read of tokens, by their row ids; null for one without metadata. */
export const findMetadata: Find<string, NftMetadataNode> = async ({ prisma }, ids) => {
  const read = await prisma.nftToken.findMany({
    where: { id: { in: ids.map(BigInt) }, fetchedAt: { not: null } },
    select: {
      ...{ id: true, standard: true, metadataAddress: true, name: true, description: true, image: true },
      ...{ attributes: true, fetchedAt: true },
    },
  });
  return inOrder(ids, String, read.map(toHeldMetadataNode), ({ rowId }) => rowId);
};

/** The documents of tokens as they were read, by row id. */
export const findDocuments: Find<string, { rawMetadata: string | null }> = async ({ prisma }, ids) => {
  const read = await prisma.nftToken.findMany({
    where: { id: { in: ids.map(BigInt) } },
    select: { id: true, rawMetadata: true },
  });
  return inOrder(ids, String, read, ({ id }) => id.toString());
};
