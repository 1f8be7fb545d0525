import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** The 40 lower-case hex digits of an EVM address in any case; null for anything else. */
export function parseEvmAddress(text: string): string | null {
  return ADDRESS.test(text) ? text.slice(2).toLowerCase() : null;
}

/**
 * An address in its checksummed form, with 0x (ERC-55).
 *
 * @param hex 40 lower-case hex digits
 */
export function checksummed(hex: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)));
  return `0x${hex.replace(/[a-f]/g, (letter, index: number) => ((hash[index] ?? '0') >= '8' ? letter.toUpperCase() : letter))}`;
}
