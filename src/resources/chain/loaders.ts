import type { Loader } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import type { ChainNode } from './fields.js';
import { bothNames, eitherName, evmId, findChains, type ChainKey } from './list.js';

export const chainOfEitherName = {
  ...eitherName,
  load: (context, name) => loadRow(context, findChains, name),
} satisfies Loader<ChainKey, ChainNode>;

/** The chain of an EVM id, decimal. */
export const chainOfEvmId: Loader<{ evmChainId: string }, ChainNode> = {
  ...evmId,
  load: (context, name) => loadRow(context, findChains, name),
};

/**
 * The chain that has both names. Not every chain row has its blockchain id: a row without is found by its EVM
 * id. Both names go into one batch.
 */
export const chainOfBothNames = {
  ...bothNames,
  async load(context, { blockchainId, evmChainId }) {
    const [byBlockchain, byEvm] = await Promise.all([
      loadRow(context, findChains, { blockchainId }),
      loadRow(context, findChains, { evmChainId }),
    ]);
    if (byBlockchain) return byBlockchain;
    return byEvm && byEvm.blockchainId === null ? byEvm : null;
  },
} satisfies Loader<{ blockchainId: string; evmChainId: string }, ChainNode>;
