import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { findChains } from '../chain/list.js';
import { collectionOwnerFields, type CollectionOwnerNode } from '../evm-holding/fields.js';
import { collectionOwnerList } from '../evm-holding/list.js';
import { evmAddressOf } from '../internal-tx/evm-address-schema.js';
import { collectionArguments } from './arguments.js';
import { toEvmChainId } from './chain-loader.js';
import { KNOWN_TOKENS } from './fields.js';
import { splitCollectionKey, type CollectionKey } from './key.js';
import { findCollections, nftTokenList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    NftCollection: CollectionKey;
    NftOwner: CollectionOwnerNode;
  }
}

export function registerCollection(builder: Builder): void {
  builder.node('NftCollection', {
    description: 'The NFTs of one contract.',
    id: {
      description: 'Global id, made of the EVM chain id and the contract.',
      resolve: ({ evmChainId, address }) => `${evmChainId}:${address}`,
    },
    loadOne: (id: string, context) => {
      const key = splitCollectionKey(id);
      return key && loadRow(context, findCollections, key);
    },
    fields: (t) => ({
      chainId: t.string({
        description: 'EVM chain id, decimal.',
        resolve: ({ evmChainId }) => String(evmChainId),
      }),
      address: t.exposeString('address', {
        description: "Address of the collection's contract, with the checksum of EIP-55.",
      }),
      chain: rowField(t, {
        type: 'Chain',
        description: 'Its chain; null when that is not indexed.',
        find: findChains,
        of: ({ evmChainId }) => ({ evmChainId: String(evmChainId) }),
      }),
    }),
  });
  builder.objectField('NftToken', 'collection', (t) =>
    t.field({
      type: 'NftCollection',
      description: 'Its collection.',
      resolve: ({ evmChainId, address }) => ({
        evmChainId: BigInt(evmChainId),
        address: address as CollectionKey['address'],
      }),
    }),
  );
  builder.objectType('NftOwner', {
    description: 'An owner of NFTs of a collection.',
    fields: (t) => ({
      ...exposeFields(t, collectionOwnerFields),
      evmAddress: rowField(t, {
        type: 'EvmAddress',
        description: 'The owner as a node; null when its chain is not indexed.',
        find: evmAddressOf,
        of: ({ evmChainId, address }) => ({ evmChainId, address }),
      }),
    }),
  });
  registerConnection(builder, 'NftOwner', 'owners of NFTs');
  addListField(builder, 'NftCollection', 'owners', {
    type: 'NftOwnerConnection',
    description:
      'The owners of NFTs of the collection, by their newest daily counts, most NFTs first. Counts are imported (evm.….nft-holdings), or followed with the balances of the contract. The order of equal counts may differ between installations. The owners of single tokens are not used: the list is empty if there are no counts. If counts change between two pages, an owner may appear twice or not at all.',
    list: collectionOwnerList,
    of: {
      evmChainId: ({ evmChainId }) => String(evmChainId),
      address: ({ address }) => address,
    },
  });
  registerTokens(builder);
  builder.queryField('nftCollection', (t) =>
    t.field({
      type: 'NftCollection',
      nullable: true,
      description: 'One NFT collection; null when neither tokens nor owners of it are indexed.',
      args: argumentRefs(t, collectionArguments),
      resolve: async (_root, args, context) => {
        const { chainId, address } = argumentsOf(collectionArguments, args, context);
        const evmChainId = await toEvmChainId(chainId, context);
        return evmChainId === null ? null : loadRow(context, findCollections, { evmChainId, address });
      },
    }),
  );
}

function registerTokens(builder: Builder): void {
  addListField(builder, 'NftCollection', 'tokens', {
    type: 'NftTokenConnection',
    description: `${KNOWN_TOKENS} The same list, with the same cursors, as Query.nftTokens.`,
    list: nftTokenList,
    of: { evmChainId: ({ evmChainId }) => evmChainId, address: ({ address }) => address },
  });
}
