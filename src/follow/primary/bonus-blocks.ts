import { blockchainIds } from '../../avalanche/networks.js';
import type { PrimaryNetwork } from './network.js';

/**
 * Blocks of mainnet's C-chain whose imports the EVM executed though another block had consumed, or later
 * consumed, their outputs (avalanchego graft/coreth/plugin/evm/atomic/vm/bonus_blocks.go). They consumed
 * nothing of other chains.
 */
const mainnetBonusBlocks: ReadonlySet<bigint> = new Set(
  [
    102972, 103105, 103143, 103183, 103197, 103203, 103208, 103209, 103259, 103261, 103266, 103287, 103339,
    103346, 103350, 103358, 103437, 103472, 103478, 103493, 103514, 103536, 103545, 103547, 103554, 103555,
    103559, 103561, 103563, 103564, 103569, 103570, 103575, 103577, 103578, 103582, 103587, 103590, 103591,
    103594, 103597, 103598, 103603, 103604, 103607, 103612, 103614, 103617, 103618, 103621, 103623, 103624,
    103627, 103628, 103629, 103630, 103633,
  ].map(BigInt),
);

/** Whether imports of this C-chain block consumed nothing. */
export function isBonusBlock({ cChainId }: PrimaryNetwork, height: bigint): boolean {
  return cChainId === blockchainIds.mainnet.c && mainnetBonusBlocks.has(height);
}
