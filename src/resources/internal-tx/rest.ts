import { objectSchema } from '../../fields/object-schema.js';
import { ref } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { pageArguments } from '../../rest/parameter.js';
import { listReply, page } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { evmAddressArguments, internalTxListArguments } from './arguments.js';
import { internalTxDescription, internalTxFields, tokenParty } from './fields.js';

const listInternalTransactions = graphql(`
  query ListInternalTransactions(
    $chainId: String!
    $address: String!
    $startBlock: Decimal
    $endBlock: Decimal
    $pageSize: Int
    $pageToken: String
  ) {
    evmAddress(chainId: $chainId, address: $address) {
      internalTransactions(
        startBlock: $startBlock
        endBlock: $endBlock
        first: $pageSize
        after: $pageToken
      ) {
        json
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

/** As in the sample. */
const example = {
  transactions: [
    {
      blockNumber: '62652014',
      blockTimestamp: 1793259229,
      blockHash: '0x6888bbd810bcc09b98a9deec049d95d99097faeb488588dc0790e88d16832c8d',
      txHash: '0x3d5596954645ab51b85b606f1a76dd5eeee8edfc55fb0338e7f7e6345b2e2926',
      from: { address: '0x46744D1FeD52681e9e0Eecd3135836e202528Aa2' },
      to: { address: '0x1A1649d498d5D2F92A2CeF1a2Bdd470Eefd681fa' },
      internalTxType: 'CALLCODE',
      value: '504591857712',
      isReverted: false,
      gasUsed: '469815',
      gasLimit: '692835',
    },
  ],
};

export const internalTxRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/chains/{chainId}/addresses/{address}/transactions:listInternals',
    summary: 'List internal transactions',
    description:
      'Internal transactions of an address: frames that sent value from it or to it, or created a contract. Newest block first.',
    parameters: { ...evmAddressArguments, ...internalTxListArguments, ...pageArguments },
    document: listInternalTransactions,
    reply: ({ evmAddress }) => evmAddress && listReply('transactions', evmAddress.internalTransactions),
    missing: (_values, { chainId }) =>
      `chain ${chainId} is not indexed here; /v1/chains lists those that are`,
    response: {
      description: 'A page of internal transactions.',
      schema: ref('InternalTransactionPage'),
      components: {
        TokenParty: objectSchema(tokenParty.description, tokenParty.fields),
        InternalTransaction: objectSchema(internalTxDescription, internalTxFields),
        InternalTransactionPage: page('transactions', ref('InternalTransaction')),
      },
      example,
    },
  }),
];
