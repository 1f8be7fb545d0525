import { blockchainArgument, timeBounds } from '../../arguments/common.js';
import { graphql } from '../../generated/graphql/gql.js';
import { boundsOf } from '../../rest/mapped-list.js';
import { pageArguments } from '../../rest/parameter.js';
import { defineRoute } from '../../rest/route.js';
import { transactionsReply, transactionsResponse } from '../transaction/rest-list.js';
import { stakingTransactionArguments } from './arguments.js';

const listStakingTransactions = graphql(`
  query ListStakingTransactions($network: Network!, $pageSize: Int, $pageToken: String) {
    stakingTransactions(network: $network, first: $pageSize, after: $pageToken) {
      nodes {
        ...TransactionRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const { network, addresses, txTypes, sortOrder } = stakingTransactionArguments;

export const stakingTransactionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions:listStaking',
    summary: 'List transactions of active stakes',
    description:
      'The transactions that began the stakes of now, or that wait for their start, newest first unless sortOrder says otherwise.',
    parameters: {
      network,
      blockchainId: blockchainArgument(['p'], 'p-chain, or its id: no other chain has stakes.', {
        example: 'p-chain',
      }),
      addresses: { ...addresses, example: undefined },
      txTypes: { ...txTypes, mayRepeat: true as const },
      ...timeBounds('transactions of blocks made'),
      ...pageArguments,
      sortOrder,
    },
    document: listStakingTransactions,
    values: (given) => ({ ...given, ...boundsOf(given) }),
    reply: ({ stakingTransactions }, chain) => transactionsReply(stakingTransactions, chain),
    response: transactionsResponse('p-chain'),
  }),
];
