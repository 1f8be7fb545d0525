import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { EvmChainName } from '../../avalanche/evm.js';
import type { Context } from '../../graphql/context.js';
import { toChainNode, type ChainNode } from './row.js';
import { findChains } from './store.js';

/** Chains by EVM id or blockchain id; null for one that is not held. */
export const chainLoader = createContextCache(
  ({ storage }: Context) =>
    new DataLoader<EvmChainName, ChainNode | null, string>(
      async (names) => (await findChains(storage, names)).map((row) => row && toChainNode(row)),
      { cacheKeyFn: (name) => ('evmChainId' in name ? name.evmChainId : name.blockchainId) },
    ),
);
