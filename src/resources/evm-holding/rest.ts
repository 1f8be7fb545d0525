import { graphql } from '../../generated/graphql/gql.js';
import type { GetNativeBalanceQuery } from '../../generated/graphql/graphql.js';
import { digits, evmAddress, is, small, text, textOf, uri, type Details } from '../../fields/field.js';
import { nullable, object, ref, type JsonSchemas } from '../../fields/json-schema.js';
import { objectSchemas } from '../../fields/object-schema.js';
import { pageArguments } from '../../rest/parameter.js';
import { listReply, page } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { chainNotIndexed, evmAddressArguments } from '../internal-tx/arguments.js';
import { tokenBalanceArguments } from './arguments.js';

graphql(`
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

const listErc20Balances = graphql(`
  query ListErc20Balances(
    $chainId: String!
    $address: String!
    $contractAddresses: [String!]
    $pageSize: Int
    $pageToken: String
  ) {
    evmAddress(chainId: $chainId, address: $address) {
      ...CoinParts
      tokenBalances(contractAddresses: $contractAddresses, first: $pageSize, after: $pageToken) {
        nodes {
          contract
          balance
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export const balanceChainId = is(digits, 'EVM chain id of the chain, decimal');
const balance = is(digits, 'The newest known balance, in the smallest unit');
const native = {
  name: is(text, 'Full name of the coin'),
  symbol: is(text, 'Short name of the coin'),
  decimals: is(small, 'Number of decimals of the coin'),
  logoUri: is(uri, 'URL of the logo', 'where unknown'),
  chainId: balanceChainId,
  balance,
} satisfies Details;
const unknownName = 'Empty: names of tokens are not indexed';
const erc20 = {
  address: is(evmAddress, "The token's contract, hex"),
  name: is(text, unknownName),
  symbol: is(text, unknownName),
  decimals: is(small, '0: decimals of tokens are not indexed'),
  ercType: is(textOf({ enum: ['ERC-20'] }), "The token's standard"),
  chainId: balanceChainId,
  balance,
  tokenReputation: is({ ...text, schema: nullable(text.schema) }, 'Always null: nobody can know it'),
} satisfies Details;
export const balanceSchemas: JsonSchemas = objectSchemas({
  NativeTokenBalance: { description: "What an address has of a chain's coin.", fields: native },
  Erc20TokenBalance: { description: 'What an address has of an ERC-20 token.', fields: erc20 },
});
export const nativeTokenBalance = ref('NativeTokenBalance');

/** What an address has of its chain's coin, as REST has it; a balance that is not known counts as 0. */
export function nativeText({ balance, chain }: NonNullable<GetNativeBalanceQuery['evmAddress']>): string {
  const { name, symbol, decimals, logoUri } = chain.networkToken;
  return JSON.stringify({
    name,
    symbol,
    decimals,
    logoUri: logoUri ?? undefined,
    chainId: chain.chainId,
    balance: balance ?? '0',
  });
}

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
      evmAddress && evmAddress.balance !== null ? `{"nativeTokenBalance":${nativeText(evmAddress)}}` : null,
    missing: (_values, { chainId }) => `no balances of the coin of chain ${chainId} are indexed here`,
    response: {
      description: 'The balance.',
      schema: ref('NativeBalance'),
      components: { ...balanceSchemas, NativeBalance: object('A balance.', { nativeTokenBalance }) },
      example: { nativeTokenBalance: nativeExample },
    },
  }),
  defineRoute({
    method: 'GET',
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
    document: listErc20Balances,
    reply: ({ evmAddress }) => {
      if (!evmAddress) return null;
      const { nodes, pageInfo } = evmAddress.tokenBalances;
      const rows = nodes.map(({ contract, balance }) => ({
        address: contract,
        name: '',
        symbol: '',
        decimals: 0,
        ercType: 'ERC-20',
        chainId: evmAddress.chain.chainId,
        balance,
        tokenReputation: null,
      }));
      const more = `,"nativeTokenBalance":${nativeText(evmAddress)}`;
      return listReply('erc20TokenBalances', { json: JSON.stringify(rows), pageInfo }, more);
    },
    missing: chainNotIndexed,
    response: {
      description: 'A page of balances.',
      schema: ref('Erc20BalancePage'),
      components: {
        ...balanceSchemas,
        Erc20BalancePage: page('erc20TokenBalances', ref('Erc20TokenBalance'), { nativeTokenBalance }),
      },
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
    },
  }),
];
