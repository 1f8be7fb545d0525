import { graphql } from '../../generated/graphql/gql.js';
import type {
  CoinPartsFragment as Holder,
  TokenBalancePartsFragment as TokenBalance,
} from '../../generated/graphql/graphql.js';
import { digits, evmAddress, is, small, text, textOf, uri } from '../../fields/field.js';
import { nullable, object, ref, type JsonSchemas } from '../../fields/json-schema.js';
import { objectSchema } from '../../fields/object-schema.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments } from '../../rest/parameter.js';
import { defineRoute } from '../../rest/route.js';
import { shapesText, shapeText, type Shape } from '../../rest/shape.js';
import { chainNotIndexed, evmAddressArguments } from '../internal-tx/arguments.js';
import { tokenBalanceArguments } from './arguments.js';

export const coinFields = graphql(`
  fragment CoinParts on EvmAddress {
    balance
    chain {
      chainId
      networkToken {
        name
        symbol
        decimals
        logoUri
      }
    }
  }
`);

const getNativeBalance = graphql(`
  query GetNativeBalance($chainId: String!, $address: String!) {
    evmAddress(chainId: $chainId, address: $address) {
      ...CoinParts
    }
  }
`);

const tokenBalanceFields = graphql(`
  fragment TokenBalanceParts on EvmTokenBalance {
    contract
    balance
  }
`);

export const balanceChainId = is(digits, 'EVM chain id of the chain, decimal');
const balance = is(digits, 'The newest known balance, in the smallest unit');
const nativeShape: Shape<Holder> = {
  name: { ...is(text, 'Full name of the coin'), of: ({ chain }) => chain.networkToken.name },
  symbol: { ...is(text, 'Short name of the coin'), of: ({ chain }) => chain.networkToken.symbol },
  decimals: {
    ...is(small, 'Number of decimals of the coin'),
    of: ({ chain }) => chain.networkToken.decimals,
  },
  logoUri: {
    ...is(uri, 'URL of the logo', 'where unknown'),
    of: ({ chain }) => chain.networkToken.logoUri,
  },
  chainId: { ...balanceChainId, of: ({ chain }) => chain.chainId },
  // One that is not known counts as 0.
  balance: { ...balance, of: (holder) => holder.balance ?? '0' },
};
const unknownName = is(text, 'Empty: names of tokens are not indexed');
const erc20Shape = (chainId: string): Shape<TokenBalance> => ({
  address: { ...is(evmAddress, "The token's contract, hex"), of: (held) => held.contract },
  name: { ...unknownName, of: () => '' },
  symbol: { ...unknownName, of: () => '' },
  decimals: { ...is(small, '0: decimals of tokens are not indexed'), of: () => 0 },
  ercType: { ...is(textOf({ enum: ['ERC-20'] }), "The token's standard"), of: () => 'ERC-20' },
  chainId: { ...balanceChainId, of: () => chainId },
  balance: { ...balance, of: (held) => held.balance },
  tokenReputation: {
    ...is({ ...text, schema: nullable(text.schema) }, 'Always null: nobody can know it'),
    of: () => null,
  },
});
export const balanceSchemas: JsonSchemas = {
  NativeTokenBalance: objectSchema("What an address has of a chain's coin.", nativeShape),
  Erc20TokenBalance: objectSchema('What an address has of an ERC-20 token.', erc20Shape('')),
};
const nativeTokenBalance = ref('NativeTokenBalance');

/** What lists of an address share: they say what it has of its chain's coin. */
export const heldRows = {
  within: { field: 'evmAddress', takes: ['chainId', 'address'] as const },
  also: { fragment: coinFields },
  more: {
    members: { nativeTokenBalance },
    textOf: (_values: unknown, holder: Holder): string =>
      `,"nativeTokenBalance":${shapeText(nativeShape, holder)}`,
  },
  missing: chainNotIndexed,
};

/** As in the sample. */
export const nativeExample = {
  name: 'Avalanche',
  symbol: 'AVAX',
  decimals: 18,
  logoUri: 'https://avax.example/avax.svg',
  chainId: '43113',
  balance: '634783000000000000',
};

const ADDRESS = '/v1/chains/{chainId}/addresses/{address}';
const unsupported = { blockNumber: 'balances are those of now; GraphQL has those of days (dailyBalances)' };

export const balanceRoutes = [
  defineRoute({
    method: 'GET',
    path: `${ADDRESS}/balances:getNative`,
    summary: 'Get a native balance',
    description: "The newest known balance of an address in its chain's coin.",
    parameters: evmAddressArguments,
    unsupported,
    document: getNativeBalance,
    reply: ({ evmAddress }) =>
      evmAddress && evmAddress.balance !== null
        ? `{"nativeTokenBalance":${shapeText(nativeShape, evmAddress)}}`
        : null,
    missing: (_values, { chainId }) => `no balances of the coin of chain ${chainId} are indexed here`,
    response: {
      description: 'The balance.',
      schema: ref('NativeBalance'),
      components: { ...balanceSchemas, NativeBalance: object('A balance.', { nativeTokenBalance }) },
      example: { nativeTokenBalance: nativeExample },
    },
  }),
  defineListRoute({
    operation: 'ListErc20Balances',
    path: `${ADDRESS}/balances:listErc20`,
    summary: 'List ERC-20 balances',
    description:
      'The newest known balances of an address in ERC-20 tokens, in the order in which the tokens were first indexed, and in the coin of the chain.',
    parameters: {
      ...evmAddressArguments,
      address: { ...evmAddressArguments.address, example: '0xc64566564feD93A88caD300F92042c09aEFF6575' },
      ...tokenBalanceArguments,
      ...pageArguments,
    },
    unsupported,
    field: 'tokenBalances',
    ...heldRows,
    nodes: {
      fragment: tokenBalanceFields,
      textOf: (nodes, _values, { chain }) => shapesText(erc20Shape(chain.chainId), nodes),
    },
    rows: {
      name: 'erc20TokenBalances',
      words: 'balances',
      schema: 'Erc20TokenBalance',
      page: 'Erc20BalancePage',
    },
    schemas: balanceSchemas,
    example: {
      erc20TokenBalances: [
        {
          address: '0x63414D8113b16eDD832108459bF092741E920E24',
          name: '',
          symbol: '',
          decimals: 0,
          ercType: 'ERC-20',
          chainId: '43113',
          balance: '2818259199',
          tokenReputation: null,
        },
      ],
      nativeTokenBalance: nativeExample,
    },
  }),
];
