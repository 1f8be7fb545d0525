import { blockchainArgument, timeBounds } from '../../arguments/common.js';
import { defineListRoute } from '../../rest/list-route.js';
import { boundsOf } from '../../rest/bounds.js';
import { pageArguments } from '../../rest/parameter.js';
import { transactionRows } from '../transaction/rest-list.js';
import { stakingTransactionArguments } from './arguments.js';

const { network, addresses, txTypes, sortOrder } = stakingTransactionArguments;

export const stakingTransactionRoutes = [
  defineListRoute({
    operation: 'ListStakingTransactions',
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
    given: { passed: ['network'], values: (given) => ({ ...given, ...boundsOf(given) }) },
    field: 'stakingTransactions',
    ...transactionRows('p-chain'),
  }),
];
