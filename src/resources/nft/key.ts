import type { Hex } from 'viem';
import { EVM_MAX, parseEvmAddress } from '../../avalanche/evm.js';

/** An EVM chain whose tokens can be read. */
export interface EvmChain {
  evmChainId: bigint;
  /** The JSON-RPC that came with the stored chain; null if there is none. */
  rpcUrl: string | null;
}

/** A collection of NFTs by its natural key. */
export interface CollectionKey {
  evmChainId: bigint;
  /** Of the collection's contract, 0x and 40 hex digits. */
  address: Hex;
}

/** An NFT by its natural key. */
export interface NftTokenKey extends CollectionKey {
  tokenId: bigint;
}

/**
 * The natural key behind a global id `chain:address`.
 *
 * @returns null when it has another form
 */
export function splitCollectionKey(id: string): CollectionKey | null {
  const [, chain, text = ''] = /^(\d{1,19}):(0x[0-9a-fA-F]{40})$/.exec(id) ?? [];
  const address = parseEvmAddress(text);
  if (!chain || !address || BigInt(chain) > EVM_MAX) return null;
  return { evmChainId: BigInt(chain), address };
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
