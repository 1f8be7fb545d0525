import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeCb58 } from '../src/avalanche/cb58.js';
import { nodeIdOf as nodeIdOfBytes } from '../src/avalanche/codec/ids.js';
import { parseEvmAddress } from '../src/avalanche/evm.js';

/** 32 bytes derived from a description. */
export function hashOf(description: string): Uint8Array {
  return sha256(utf8ToBytes(`moraine sample: ${description}`));
}

/** A transaction hash, blockchain id or block hash of the primary network, as CB58. */
export function idOf(description: string): string {
  return encodeCb58(hashOf(description));
}

/** 20 bytes, of a key hash or a node. */
export function shortHashOf(description: string): Uint8Array {
  return hashOf(description).subarray(0, 20);
}

/** `0x` and 64 hex digits: a transaction or block hash of an EVM chain. */
export function evmHashOf(description: string): string {
  return `0x${bytesToHex(hashOf(description))}`;
}

/** An EVM address in mixed-case checksum form. */
export function evmAddressOf(description: string): string {
  return parseEvmAddress(`0x${bytesToHex(shortHashOf(description))}`) as string;
}

export function nodeIdOf(description: string): string {
  return nodeIdOfBytes(shortHashOf(`node ${description}`));
}

/** Hex text of any length derived from a description, for keys, proofs and code. */
export function hexOf(description: string, byteLength: number): string {
  let hex = '';
  for (let part = 0; hex.length < byteLength * 2; part++) hex += bytesToHex(hashOf(`${description} ${part}`));
  return `0x${hex.slice(0, byteLength * 2)}`;
}
