import { brandWithType } from '@pothos/core';
import { chainName, networks } from '../../avalanche/networks.js';
import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import type { CostExtension } from '../../graphql/limits/cost-extension.js';
import { addressChainsArguments, searchArguments } from './arguments.js';
import { chainsOfAddress, evmChainsOf } from './evm-signs-loaders.js';
import { MOST_CANDIDATES, MOST_PLACES } from './candidate.js';
import { LONGEST_SHOWN_NAME, searchKinds, searchMatches } from './fields.js';
import type { SearchCandidate, SearchKind, SearchMatch, SearchResult } from './fields.js';
import { searchFor } from './loaders.js';
import { MOST_CHAINS, MOST_CHAINS_OF_BEGINNING } from './store.js';
import { MOST_IDS } from './beginning-loaders.js';
import { MOST_NAMES } from './name-loaders.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    SearchResult: SearchResult;
    SearchCandidate: SearchCandidate;
  }
  interface LeafTypes {
    SearchKind: Leaf<SearchKind>;
    SearchMatch: Leaf<SearchMatch>;
  }
}

/** An EVM address on a thousand chains takes 14 ms, as pages of some hundred rows with as many lists. */
const COST = 600;

export function registerSearch(builder: Builder): void {
  registerAddressChains(builder);
  builder.enumType('SearchKind', {
    description: 'What a searched text can be.',
    values: Object.fromEntries(
      Object.entries(searchKinds).map(([name, description]) => [name, { description }]),
    ),
  });
  builder.enumType('SearchMatch', {
    description: 'How a searched text fits what it can be.',
    values: Object.fromEntries(
      Object.entries(searchMatches).map(([name, description]) => [name, { description }]),
    ),
  });
  registerCandidate(builder);
  builder.objectType('SearchResult', {
    description: 'What a searched text is, and what it could be.',
    fields: (t) => ({
      text: t.exposeString('text', {
        description:
          'The text that was searched: without control characters and invisible ones, and without what is cleaned from it (see the argument text).',
      }),
      problem: t.exposeString('problem', {
        nullable: true,
        description:
          'Why the text can be nothing, or what may be wrong with it although it can be something, as sentences for people; for example that a checksum is wrong. Null if nothing is wrong.',
      }),
      candidates: t.expose('candidates', {
        type: ['SearchCandidate'],
        description: `What the text is, and what else it could be by its form, at most ${MOST_CANDIDATES}. First what is indexed, then by match (${Object.keys(searchMatches).join(', ')}), kind (${Object.keys(searchKinds).join(', ')}), mainnet before fuji, P-chain before X-chain before C-chain, ascending EVM chain id, name and id; AVAX before all assets that others call so. Of a kind there is one candidate for each place where it is indexed; if there is none, one that is not indexed. A number is also searched for as a whole name. A text without the form of an id is searched for as the beginning of ids, at most ${MOST_IDS} of each form, and of names, at most ${MOST_NAMES} of EVM chains, of created blockchains, of assets and of NFTs; then all candidates are indexed, and there are none if nothing begins so.`,
      }),
    }),
  });
  builder.queryField('search', (t) =>
    t.field({
      type: 'SearchResult',
      description: `Says what a text is that a person has: an id, address, hash or block number of any chain, the beginning of one, or a name. What it could be and is not indexed is said too. On EVM chains the first ${MOST_CHAINS} of the list of chains and the C-chains are searched, the first ${MOST_CHAINS_OF_BEGINNING} for the beginning of an id, and at most ${MOST_PLACES} of each kind are found.`,
      args: argumentRefs(t, searchArguments),
      extensions: { cost: COST } satisfies CostExtension,
      resolve: (_root, args, context) => {
        const { text, network } = argumentsOf(searchArguments, args, context);
        return searchFor(text, network, context);
      },
    }),
  );
}

function registerCandidate(builder: Builder): void {
  builder.objectType('SearchCandidate', {
    description: 'Something that a searched text is, or could be.',
    fields: (t) => ({
      kind: t.expose('kind', { type: 'SearchKind', description: 'What it is.' }),
      value: t.exposeString('value', {
        description:
          'The id, hash, address, number or alias as replies write it for this kind: an address without prefix, an EVM address with the mixed case of EIP-55, hexadecimal digits in lower case.',
      }),
      match: t.expose('match', { type: 'SearchMatch', description: 'How the text fits it.' }),
      name: t.exposeString('name', {
        nullable: true,
        description: `The name or symbol by which it was found, its first ${LONGEST_SHOWN_NAME} characters; null if it was found by an id. Whoever makes an asset, a blockchain or an NFT chooses its name.`,
      }),
      isIndexed: t.exposeBoolean('isIndexed', { description: 'Whether it is indexed.' }),
      network: t.expose('network', {
        type: 'Network',
        nullable: true,
        description:
          'Its network; null if it is not indexed and neither the text nor the argument network says it.',
      }),
      blockchainAlias: t.string({
        nullable: true,
        description:
          'p-chain, x-chain or c-chain: of a transaction, of a block, or this chain itself; null for all else, and for a transaction or block that is not indexed.',
        resolve: ({ chain }) => chain && chainName(chain),
      }),
      chainId: t.exposeString('evmChainId', {
        nullable: true,
        description: 'EVM chain id of its EVM chain, decimal; null for all else, and if it is not indexed.',
      }),
      node: t.field({
        type: builder.nodeInterfaceRef(),
        nullable: true,
        description:
          'The object itself, whose type the description of its kind says; null if it is not indexed, and for some blockchains: see there. Fields that are selected of it count as often as there can be candidates.',
        extensions: { times: MOST_CANDIDATES } satisfies CostExtension,
        resolve: ({ node }) => {
          if (!node) return null;
          brandWithType(node.row, node.type as never);
          return node.row;
        },
      }),
    }),
  });
}

/** Registers the chains that know an EVM address. */
function registerAddressChains(builder: Builder): void {
  builder.queryField('chainsOfEvmAddress', (t) =>
    t.field({
      type: ['Chain'],
      description: `The EVM chains on which an address is indexed, by ascending EVM chain id: see EVM_ADDRESS of SearchKind. Of the first ${MOST_CHAINS} of the list of chains and the C-chains.`,
      args: argumentRefs(t, addressChainsArguments),
      extensions: { cost: COST, times: MOST_PLACES } satisfies CostExtension,
      resolve: async (_root, args, context) => {
        const { address } = argumentsOf(addressChainsArguments, args, context);
        const search = { networks, mostChains: MOST_CHAINS, context };
        const chains = await chainsOfAddress(address, await evmChainsOf(search), search, MOST_CHAINS);
        return chains.toSorted((a, b) => Number(BigInt(a.chainId) - BigInt(b.chainId)));
      },
    }),
  );
}
