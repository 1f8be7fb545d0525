import type { EvmChainName } from '../../avalanche/evm.js';
import type { Builder } from '../../graphql/builder.js';
import { addListField } from '../../graphql/list-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { chainArguments } from '../chain/arguments.js';
import { findChains } from '../chain/list.js';
import { chainInternalTxArguments, type ChainInternalTxQuery } from './arguments.js';
import { chainInternalTxList } from './list.js';

const ORDER =
  'Newest block first, then by txHash and position, all descending (with txHash, by position only). Filters combine with AND';

export function registerChainInternalTransactions(builder: Builder): void {
  addListField(builder, 'Chain', 'internalTransactions', {
    type: 'InternalTransactionConnection',
    description: `Internal transactions of the chain, that is, value that its contracts sent and contracts that they created. ${ORDER}.`,
    list: chainInternalTxList,
    arguments: chainInternalTxArguments,
    of: { evmChainId: ({ chainId }) => chainId },
  });
  addListField(builder, 'Query', 'internalTransactions', {
    type: 'InternalTransactionConnection',
    description: `Internal transactions of a chain, that is, value that its contracts sent and contracts that they created. ${ORDER}. Empty for a chain that is not indexed. The same list, with the same cursors, as Chain.internalTransactions.`,
    list: chainInternalTxList,
    arguments: { ...chainArguments, ...chainInternalTxArguments },
    toQuery: async ({ chainId, ...values }: RootValues, context): Promise<ChainInternalTxQuery> => {
      const chain = await loadRow(context, findChains, chainId);
      return { ...values, evmChainId: chain && chain.chainId };
    },
  });
}

type RootValues = Omit<ChainInternalTxQuery, 'evmChainId'> & { chainId: EvmChainName };
