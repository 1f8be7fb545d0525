import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { addListField } from '../../graphql/list-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { collectionArguments, nftTokenArguments, ownedTokenArguments } from './arguments.js';
import type { CollectionValues } from './arguments.js';
import { toEvmChainId } from './chain-loader.js';
import { registerCollection } from './collection-schema.js';
import { KNOWN_TOKENS, type MetadataStatus, type NftAttributeNode } from './fields.js';
import { findNftTokens, nftTokenList, ownedTokenList } from './list.js';
import { registerReindex, type ReindexPayload } from './reindex-schema.js';
import type { NftMetadataNode, NftTokenNode } from './row.js';
import { registerTokenType } from './token-schema.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    NftToken: NftTokenNode;
    NftMetadata: NftMetadataNode;
    NftAttribute: NftAttributeNode;
    ReindexNftPayload: ReindexPayload;
  }
  interface LeafTypes {
    NftMetadataStatus: Leaf<MetadataStatus>;
    NftStandard: Leaf<NftMetadataNode['standard']>;
  }
}

export function registerNft(builder: Builder): void {
  registerTokenType(builder);
  registerConnection(builder, 'NftToken', 'NFTs');
  builder.queryField('nftToken', (t) =>
    t.field({
      type: 'NftToken',
      nullable: true,
      description:
        'One NFT with its metadata; null when it is not indexed. A request to reindex a token adds it.',
      args: argumentRefs(t, nftTokenArguments),
      resolve: async (_root, args, context) => {
        const { chainId, address, tokenId } = argumentsOf(nftTokenArguments, args, context);
        const evmChainId = await toEvmChainId(chainId, context);
        return evmChainId === null ? null : loadRow(context, findNftTokens, { evmChainId, address, tokenId });
      },
    }),
  );

  addListField(builder, 'Query', 'nftTokens', {
    type: 'NftTokenConnection',
    description: KNOWN_TOKENS,
    list: nftTokenList,
    arguments: collectionArguments,
    toQuery: async ({ chainId, address }: CollectionValues, context) => ({
      evmChainId: await toEvmChainId(chainId, context),
      address,
    }),
  });
  registerOwnedTokens(builder);
  registerCollection(builder);
  registerReindex(builder);
}

function registerOwnedTokens(builder: Builder): void {
  addListField(builder, 'EvmAddress', 'nfts', {
    type: 'NftTokenConnection',
    description:
      'The NFTs that the address owns, by contract and token id, both ascending. Only tokens whose owner is known are listed. Of a token with several owners (ERC-1155), at most one owner is stored.',
    list: ownedTokenList,
    arguments: ownedTokenArguments,
    of: { evmChainId: ({ evmChainId }) => evmChainId, owner: ({ address }) => address },
  });
}
