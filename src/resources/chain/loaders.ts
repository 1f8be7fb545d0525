import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { EvmChainName } from '../../avalanche/evm.js';
import type { Context } from '../../graphql/context.js';
import { findChains } from './list.js';
import { toChainNode, type ChainNode } from './row.js';

/** Chains by EVM id or blockchain id; null for one that is not held. */
export const chainLoader = createContextCache(({ storage }: Context) => {
  const loader = new DataLoader<EvmChainName, ChainNode | null, string>(
    async (names) => {
      const chains = (await findChains(storage, names)).map((row) => row && toChainNode(row));
      // One that was named by its blockchain id is known by its EVM id then.
      for (const chain of chains) if (chain) loader.prime({ evmChainId: chain.chainId }, chain);
      return chains;
    },
    { cacheKeyFn: (name) => ('evmChainId' in name ? name.evmChainId : name.blockchainId) },
  );
  return loader;
});
