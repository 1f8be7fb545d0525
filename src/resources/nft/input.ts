import { EVM_MAX, readEvmAddress, readEvmChain, type EvmChainName } from '../../avalanche/evm.js';
import { badInput, Problems, quote } from '../../errors.js';
import type { Collection } from './read.js';

/** A collection as a caller names it. */
export interface CollectionArguments {
  chainId: string;
  address: string;
}

/**
 * Reads the token id of a path.
 *
 * @throws AppError BAD_USER_INPUT
 */
export function readTokenId(name: string, text: string): string {
  if (/^\d{1,78}$/.test(text) && BigInt(text) < 2n ** 256n) return text;
  throw badInput(`${name}: ${quote(text)} is not a token id; it is decimal digits, 0 to 2^256-1`);
}

/** @throws AppError BAD_USER_INPUT that names every wrong argument */
export function readCollection(args: CollectionArguments): { chain: EvmChainName; address: string } {
  const problems = new Problems();
  const chain = problems.check(() => readEvmChain('chainId', args.chainId));
  const address = problems.check(() => readEvmAddress('address', args.address));
  problems.throwIfAny();
  return { chain: chain as EvmChainName, address: address as string };
}

/**
 * The natural key behind a global id `chain:address:tokenId`.
 *
 * @returns null when it has another form
 */
export function splitTokenKey(id: string): (Collection & { tokenId: bigint }) | null {
  const [, chain, address, tokenId] = /^(\d{1,19}):(0x[0-9a-fA-F]{40}):(\d{1,78})$/.exec(id) ?? [];
  if (!chain || !address || !tokenId || BigInt(chain) > EVM_MAX) return null;
  return { evmChainId: BigInt(chain), address, tokenId: BigInt(tokenId) };
}
