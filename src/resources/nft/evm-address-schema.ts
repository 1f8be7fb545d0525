import type { Builder } from '../../graphql/builder.js';
import { listField } from '../../graphql/list-field.js';
import { ownedTokenArguments } from './arguments.js';
import { ownedTokenList } from './list.js';
import { toNftTokenNode } from './row.js';

/** Registers the tokens of an EVM address. */
export function registerOwnedTokens(builder: Builder): void {
  builder.objectField('EvmAddress', 'nfts', (t) =>
    listField(t, {
      type: 'NftTokenConnection',
      description:
        'The NFTs whose owner is the address, by contract and token id, both rising. Only tokens whose owner is held are found; a token that has several owners (ERC-1155) is held with one at most.',
      list: ownedTokenList,
      arguments: ownedTokenArguments,
      of: { evmChainId: ({ evmChainId }) => evmChainId, owner: ({ address }) => address },
      toNode: toNftTokenNode,
    }),
  );
}
