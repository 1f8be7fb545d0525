import { readEvmAddress } from '../../avalanche/evm.js';
import { graphql } from '../../generated/graphql/gql.js';
import { numberParameter, pageParameters, pathParameter } from '../../rest/parameter.js';
import { listReply } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { chainIdParameter } from '../chain/rest.js';
import { readBlock } from './query.js';

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

const blockParameter = (description: string) =>
  numberParameter(description, { type: 'number', minimum: 0 }, (name, text) =>
    readBlock(name, text).toString(),
  );

export const internalTxRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/chains/{chainId}/addresses/{address}/transactions:listInternals',
    summary: 'List internal transactions',
    description:
      'Frames of transactions that sent value from or to an address, or created a contract, newest block first.',
    parameters: {
      chainId: chainIdParameter,
      address: pathParameter({
        description: 'EVM address, 0x and 40 hexadecimal digits in any case.',
        schema: { type: 'string' },
        example: '0x46744D1FeD52681e9e0Eecd3135836e202528Aa2',
        read: readEvmAddress,
      }),
      startBlock: blockParameter('Only from this block on. Absent: from the first.'),
      endBlock: blockParameter('Only before this block. Absent: to the newest.'),
      ...pageParameters,
    },
    document: listInternalTransactions,
    variables: (parameters) => parameters,
    reply: ({ evmAddress }) => evmAddress && listReply('transactions', evmAddress.internalTransactions),
    missing: ({ chainId }) => `chain ${chainId} is not held here; /v1/chains lists those that are`,
    response: {
      description: 'A page of internal transactions.',
      schema: { $ref: '#/components/schemas/ListInternalTransactionsResponse' },
    },
  }),
];
