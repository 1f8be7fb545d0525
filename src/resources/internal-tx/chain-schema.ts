import type { EvmChainName } from '../../avalanche/evm.js';
import type { Builder } from '../../graphql/builder.js';
import { listField } from '../../graphql/list-field.js';
import { chainArguments } from '../chain/arguments.js';
import { chainLoader } from '../chain/loaders.js';
import { chainInternalTxArguments, type ChainInternalTxQuery } from './arguments.js';
import { chainInternalTxList } from './list.js';
import { toInternalTxNode } from './row.js';

const ORDER =
  'newest block first, then by txHash and position, all descending (with txHash, by position only). Filters combine with AND';

/** Registers the internal transactions of a chain, of its blocks and transactions. */
export function registerChainInternalTransactions(builder: Builder): void {
  builder.objectField('Chain', 'internalTransactions', (t) =>
    listField(t, {
      type: 'InternalTransactionConnection',
      description: `Internal transactions of the chain, which are what its contracts sent or created: ${ORDER}.`,
      list: chainInternalTxList,
      arguments: chainInternalTxArguments,
      of: { evmChainId: ({ chainId }) => chainId },
      toNode: toInternalTxNode,
    }),
  );
  builder.queryField('internalTransactions', (t) =>
    listField(t, {
      type: 'InternalTransactionConnection',
      description: `Internal transactions of a chain, which are what its contracts sent or created: ${ORDER}. Empty for a chain that is not indexed. The same list, with the same cursors, as Chain.internalTransactions.`,
      list: chainInternalTxList,
      arguments: { ...chainArguments, ...chainInternalTxArguments },
      toQuery: async ({ chainId, ...values }: RootValues, context): Promise<ChainInternalTxQuery> => {
        const chain = await chainLoader(context).load(chainId);
        return { ...values, evmChainId: chain && chain.chainId };
      },
      toNode: toInternalTxNode,
    }),
  );
}

type RootValues = Omit<ChainInternalTxQuery, 'evmChainId'> & { chainId: EvmChainName };
