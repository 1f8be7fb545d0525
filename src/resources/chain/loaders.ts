import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { EvmChainName } from '../../avalanche/evm.js';
import type { Context } from '../../graphql/context.js';
import { findChains } from './list.js';
import { toChainNode, type ChainNode } from './row.js';

/** Chains by EVM id or blockchain id; null for one that is not stored. */
export const chainLoader = createContextCache(({ storage }: Context) => {
  const loader = new DataLoader<EvmChainName, ChainNode | null, string>(
    async (names) => {
      const chains = (await findChains(storage, names)).map((row) => row && toChainNode(row));
      // A chain that was found by its blockchain id is then cached under its EVM id.
      for (const chain of chains) if (chain) loader.prime({ evmChainId: chain.chainId }, chain);
      return chains;
    },
    { cacheKeyFn: (name) => ('evmChainId' in name ? name.evmChainId : name.blockchainId) },
  );
  return loader;
});

/**
 * The chain that has both names; null when it is not stored. Not every chain row has its blockchain id: a row without
 * is found by its EVM id. Both names go into one batch.
 */
export async function loadChain(
  context: Context,
  { blockchainId, evmChainId }: { blockchainId: string; evmChainId: string },
): Promise<ChainNode | null> {
  const [byBlockchain, byEvm] = await Promise.all([
    chainLoader(context).load({ blockchainId }),
    chainLoader(context).load({ evmChainId }),
  ]);
  if (byBlockchain) return byBlockchain;
  return byEvm && byEvm.blockchainId === null ? byEvm : null;
}
