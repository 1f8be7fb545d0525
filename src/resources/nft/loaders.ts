import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Context } from '../../graphql/context.js';
import { findDocuments, findMetadata, findTokens, type NftTokenKey } from './read.js';
import { toNftMetadataNode, toNftTokenNode, type NftMetadataNode, type NftTokenNode } from './row.js';

/** Tokens by chain, contract and id; null for one that is not held. */
export const nftTokenLoader = createContextCache(
  ({ storage }: Context) =>
    new DataLoader<NftTokenKey, NftTokenNode | null, string>(
      async (keys) => (await findTokens(storage, keys)).map((row) => row && toNftTokenNode(row)),
      {
        cacheKeyFn: ({ evmChainId, address, tokenId }) => `${evmChainId}:${address.toLowerCase()}:${tokenId}`,
      },
    ),
);

/** What was read of tokens, by their row ids; null for one without metadata. */
export const nftMetadataLoader = createContextCache(
  ({ storage }: Context) =>
    new DataLoader<string, NftMetadataNode | null>(async (ids) => {
      const rows = await findMetadata(storage, ids);
      const found = new Map(rows.map((row) => [row.id, toNftMetadataNode(row)]));
      return ids.map((id) => found.get(id) ?? null);
    }),
);

/** Documents as they were read, by the row ids of their tokens; up to 1 MB each. */
export const nftDocumentLoader = createContextCache(
  ({ storage }: Context) =>
    new DataLoader<string, string | null>(async (ids) => {
      const rows = await findDocuments(storage, ids);
      const found = new Map(rows.map((row) => [row.id, row.text]));
      return ids.map((id) => found.get(id) ?? null);
    }),
);
