import { graphql } from '../../generated/graphql/gql.js';
import { list, object, ref, type JsonSchemas } from '../../fields/json-schema.js';
import { choice, ids, is, list as listOf, textOf, type Details } from '../../fields/field.js';
import { objectSchema } from '../../fields/object-schema.js';
import { ADDRESS, only } from '../../avalanche/patterns.js';
import { defineRoute } from '../../rest/route.js';
import { avaxExample } from '../asset/fields.js';
import { chainInfo, chainInfoSchemas } from '../utxo/rest.js';
import { addressesArguments, chainAddressesArguments } from './arguments.js';
import { directions, heldFields, heldKinds, publishedKinds } from './fields.js';

const getBalances = graphql(`
  query GetBalances($network: Network!, $blockchainId: String!, $addresses: [String!]!) {
    chainBalances(network: $network, blockchainId: $blockchainId, addresses: $addresses) {
      json
    }
  }
`);

const listChainIds = graphql(`
  query ListChainIds($network: Network!, $addresses: [String!]!) {
    addresses(network: $network, addresses: $addresses) {
      address
      blockchainIds
    }
  }
`);

const lists = Object.values(publishedKinds).flatMap((kinds) =>
  Object.entries(kinds).map(([name, kind]) => [
    name,
    is(listOf('HeldAmount'), `Outputs ${heldKinds[kind]}`, 'on a chain that has no such list'),
  ]),
);

const balanceSchemas: JsonSchemas = {
  HeldAmount: objectSchema('Unspent outputs of one asset, as a sum.', {
    ...heldFields,
    status: is(
      choice('AtomicDirection', directions),
      'Whether the outputs were exported to the P-chain or from it',
      'on other chains, and of outputs that are not in atomic memory',
    ),
  }),
  Balances: objectSchema('Sums of the unspent outputs, by assetId.', Object.fromEntries(lists) as Details),
  ChainBalances: object('Balances on a chain.', { balances: ref('Balances'), ...chainInfo.members }),
};

const chainsSchemas: JsonSchemas = {
  AddressChains: objectSchema('The chains of the primary network on which an address has outputs.', {
    address: is(textOf({ pattern: only(ADDRESS) }), 'The address, bech32 without chain prefix'),
    blockchainIds: is(ids, 'Ids of the chains, of the P-, X- and C-chain in this order'),
  }),
  AddressChainsList: object('Chains of addresses.', {
    addresses: list('The addresses, sorted, each once.', ref('AddressChains')),
  }),
};

/** As in the sample. */
const example = {
  balances: {
    unlockedUnstaked: [{ ...avaxExample, amount: '12768578790249', utxoCount: 130 }],
    unlockedStaked: [],
    lockedPlatform: [{ ...avaxExample, amount: '40005127186', utxoCount: 5 }],
    lockedStakeable: [],
    lockedStaked: [],
    pendingStaked: [],
    atomicMemoryUnlocked: [
      {
        ...avaxExample,
        amount: '2129208823',
        utxoCount: 2,
        sharedWithChainId: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
        status: 'incoming',
      },
    ],
    atomicMemoryLocked: [],
  },
  chainInfo: { chainName: 'p-chain', network: 'fuji' },
};

export const addressRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/balances',
    summary: 'Get balances',
    description:
      'What addresses have on a chain, by what can be done with it now. Several addresses count as one owner.',
    parameters: chainAddressesArguments,
    unsupported: {
      blockTimestamp:
        'balances by kind are kept of now alone; GraphQL has those of the past (balanceHistory)',
    },
    document: getBalances,
    reply: ({ chainBalances }, values) => `{"balances":${chainBalances.json}${chainInfo.textOf(values)}}`,
    response: {
      description: 'The balances.',
      schema: ref('ChainBalances'),
      components: { ...chainInfoSchemas, ...balanceSchemas },
      example,
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/addresses:listChainIds',
    summary: 'List chain ids of addresses',
    description: 'On which chains of the primary network addresses have, or had, outputs.',
    parameters: addressesArguments,
    document: listChainIds,
    reply: (data) => JSON.stringify(data),
    dataOf: ({ network, addresses }) => ({ network, outputsOf: addresses }),
    response: {
      description: 'The chains of each address.',
      schema: ref('AddressChainsList'),
      components: chainsSchemas,
      example: {
        addresses: [
          {
            address: 'fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm',
            blockchainIds: [
              '11111111111111111111111111111111LpoYY',
              '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
              'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
            ],
          },
        ],
      },
    },
  }),
];
