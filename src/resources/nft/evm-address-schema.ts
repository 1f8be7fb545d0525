import type { Builder } from '../../graphql/builder.js';
import { listField } from '../../graphql/list-field.js';
import { ownedTokenArguments } from './arguments.js';
import { ownedTokenList } from './list.js';

/** Registers the tokens of an EVM address. */
export function registerOwnedTokens(builder: Builder): void {
  builder.objectField('EvmAddress', 'nfts', (t) =>
    listField(t, {
      type: 'NftTokenConnection',
      description:
        'The NFTs that the address owns, by contract and token id, both ascending. Only tokens whose owner is known are listed. Of a token with several owners (ERC-1155), at most one owner is stored.',
      list: ownedTokenList,
      arguments: ownedTokenArguments,
      of: { evmChainId: ({ evmChainId }) => evmChainId, owner: ({ address }) => address },
    }),
  );
}
