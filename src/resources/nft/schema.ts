import { EVM_MAX, type EvmChainName } from '../../avalanche/evm.js';
import { checkBoth } from '../../errors.js';
import type { Builder, Leaf } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { readConnection, type ConnectionSource } from '../../graphql/connection.js';
import type { Context } from '../../graphql/context.js';
import { countList } from '../../graphql/counting.js';
import { connectionLimits, parsePageArguments } from '../../paging/page-request.js';
import { digestQuery } from '../../paging/token.js';
import { findChain } from './chain.js';
import { readCollection } from './input.js';
import { nftTokenLoader } from './loaders.js';
import { countTokens, listTokens, tokenExists } from './read.js';
import { registerReindex, type ReindexPayload } from './reindex-schema.js';
import { toNftTokenNode, type NftAttributeNode, type NftMetadataNode, type NftTokenNode } from './row.js';
import type { MetadataStatus } from './store.js';
import { registerTokenType } from './token-schema.js';

export interface NftObjects {
  NftToken: NftTokenNode;
  NftTokenConnection: ConnectionSource;
  NftMetadata: NftMetadataNode;
  NftAttribute: NftAttributeNode;
  ReindexNftPayload: ReindexPayload;
}

export type NftEnums = {
  NftMetadataStatus: Leaf<MetadataStatus>;
  NftStandard: Leaf<NftMetadataNode['standard']>;
};

/** Registers the type NftToken, the query fields nftToken and nftTokens and the mutation reindexNft. */
export function registerNft(builder: Builder): void {
  registerTokenType(builder);
  registerConnection(builder, 'NftToken', 'NFTs');
  registerQueries(builder);
  registerReindex(builder);
}

function registerQueries(builder: Builder): void {
  builder.queryField('nftToken', (t) =>
    t.field({
      type: 'NftToken',
      nullable: true,
      description:
        'One NFT and its metadata; null when it is not held. A token that somebody has asked to reindex is held from then on.',
      args: {
        chainId: t.arg.string({
          required: true,
          description: 'EVM chain id (decimal) or blockchain id (CB58).',
        }),
        address: t.arg.string({ required: true, description: "Address of the collection's contract." }),
        tokenId: t.arg({ type: 'BigNumber', required: true, description: 'Id within the collection.' }),
      },
      resolve: async (_root, args, context) => {
        const { chain, address } = readCollection(args);
        const evmChainId = await toEvmChainId(chain, context);
        if (evmChainId === null) return null;
        return nftTokenLoader(context).load({ evmChainId, address, tokenId: BigInt(args.tokenId) });
      },
    }),
  );

  builder.queryField('nftTokens', (t) =>
    t.field({
      type: 'NftTokenConnection',
      description:
        'The NFTs of a collection by rising token id. Left out are those of which neither an owner nor metadata is known.',
      args: {
        chainId: t.arg.string({
          required: true,
          description: 'EVM chain id (decimal) or blockchain id (CB58).',
        }),
        address: t.arg.string({ required: true, description: "Address of the collection's contract." }),
        ...t.arg.connectionArgs(),
      },
      resolve: async (_root, args, context) => {
        const [{ chain, address }, request] = checkBoth(
          () => readCollection(args),
          () => parsePageArguments(args, connectionLimits),
        );
        const collection = { evmChainId: await toEvmChainId(chain, context), address };
        return readConnection({
          tokens: context.tokens,
          query: digestQuery('nftTokens', [collection.evmChainId, address]),
          request,
          read: (request) => listTokens(context.storage, collection, request),
          count: () => countList(context, (most) => countTokens(context.storage, collection, most)),
          exists: (id) => tokenExists(context.storage, id),
          toNode: toNftTokenNode,
        });
      },
    }),
  );
}

/** An EVM id as it stands, for tokens of chains that are not held may be; null for one that nothing can be held of. */
async function toEvmChainId(name: EvmChainName, context: Context): Promise<bigint | null> {
  if ('blockchainId' in name) return (await findChain(context, name))?.evmChainId ?? null;
  const id = BigInt(name.evmChainId);
  return id <= EVM_MAX ? id : null;
}
