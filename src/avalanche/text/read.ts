import type { Hex } from 'viem';
import type { Network, PrimaryChain } from '../networks.js';

/** What a text is by its form alone, written as replies write it. */
export type Form =
  /** An address of the primary network, without the prefix of a chain. */
  | { is: 'address'; network: Network; address: string }
  /** 32 bytes in CB58. */
  | { is: 'id'; id: string }
  /** An output by its transaction and its index, and its id. */
  | { is: 'output'; txHash: string; utxoId: string }
  /** `NodeID-…`. */
  | { is: 'node'; nodeId: string }
  /** Decimal digits without leading zeros, below 10^20. */
  | { is: 'number'; number: string }
  /** With the checksum of EIP-55. */
  | { is: 'evmAddress'; address: Hex }
  /** 0x and 64 digits in lower case. */
  | { is: 'evmHash'; hash: Hex }
  /** A token of a contract: with the checksum of EIP-55, and decimal digits up to 2^256-1. */
  | { is: 'token'; address: Hex; tokenId: string }
  /** A chain by its alias. */
  | { is: 'chain'; chain: PrimaryChain };

/** What was read of a text: it has no form, or something is wrong with it, or both. */
export interface Read {
  form: Form | null;
  /** Sentences for people; null if nothing is wrong, or only that the text has no form. */
  problem: string | null;
}

/** Reads texts of one form; null for any other text. */
export type TextReader = (text: string) => Read | null;

export const right = (form: Form): Read => ({ form, problem: null });
export const wrong = (problem: string): Read => ({ form: null, problem });
