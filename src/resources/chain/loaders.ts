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

/**
 * The chain that has both names; null when it is not held. Not every chain row knows its blockchain id, so one without is
 * known by its EVM id. Both names go into one batch.
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
