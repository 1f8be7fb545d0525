import type { Network, PrimaryChain } from '../avalanche/networks.js';

/** What all rows of one source belong to; kinds add what theirs do. */
export interface WriteScope {
  /**
   * Whether rows keep the ids that an export gave them, and other data of their installation: page tokens
   * contain ids.
   */
  readonly keepsInstallation?: boolean;
}

/** The scope of rows of one network. */
export interface NetworkScope extends WriteScope {
  readonly network: Network;
}

/** The scope of rows of one primary network chain. */
export interface PrimaryScope extends NetworkScope {
  readonly chain: PrimaryChain;
}

/** The scope of rows of one EVM chain. */
export interface EvmScope<Id> extends WriteScope {
  readonly evmChainId: Id;
}
