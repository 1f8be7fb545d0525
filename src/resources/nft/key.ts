import type { Hex } from 'viem';
import { EVM_MAX } from '../../avalanche/evm.js';

/** An NFT by its natural key. */
export interface NftTokenKey {
  evmChainId: bigint;
  /** Of the collection's contract, 0x and 40 hex digits. */
  address: Hex;
  tokenId: bigint;
}

/**
 * The natural key behind a global id `chain:address:tokenId`.
 *
 * @returns null when it has another form
 */
export function splitTokenKey(id: string): NftTokenKey | null {
  const [, chain, address, tokenId] = /^(\d{1,19}):(0x[0-9a-fA-F]{40}):(\d{1,78})$/.exec(id) ?? [];
  if (!chain || !address || !tokenId || BigInt(chain) > EVM_MAX) return null;
  return { evmChainId: BigInt(chain), address: address as Hex, tokenId: BigInt(tokenId) };
}
