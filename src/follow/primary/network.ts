import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { contradiction } from '../node/error.js';
import type { StakingRules } from '../staking/state.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';

/** What the pipelines know of the network that they follow. Times are Unix seconds. */
export interface PrimaryNetwork extends StakingRules {
  /** The name under which the database has it. */
  readonly network: Network;
  readonly xChainId: string;
  readonly cChainId: string;
  /** From when the C-chain's headers commit to their atomic transactions. */
  readonly apricotPhase1Time: number;
  /** From when a C-chain block has a list of atomic transactions. */
  readonly apricotPhase5Time: number;
}

/** Blockchain id of a chain of this network. */
export function idOfChain(known: PrimaryNetwork, chain: PrimaryChain): string {
  return { p: ZERO_ID, x: known.xChainId, c: known.cChainId }[chain];
}

/**
 * @throws NodeError for the id of another chain: assets move between these three only, so that its node has
 *   invented the block
 */
export function chainOfId(known: PrimaryNetwork, id: string): PrimaryChain {
  if (id === ZERO_ID) return 'p';
  if (id === known.xChainId) return 'x';
  if (id === known.cChainId) return 'c';
  throw contradiction(
    `${id}, from or to which assets are moved, is not the P-, X- or C-chain of this network`,
  );
}
