import { keccak_256 } from '@noble/hashes/sha3.js';
import { createKeccak, type IHasher } from 'hash-wasm';

/*
 * keccak256: FIPS 202 with the padding of before it was a standard. To prove blocks of EVM chains is little
 * else, and WebAssembly takes a tenth of the time of JavaScript. It is ready milliseconds after the start,
 * and never where the machine does not allow it.
 */
let ready: IHasher | null = null;
createKeccak(256).then(
  (hasher) => (ready = hasher),
  () => undefined,
);

/** @returns 32 bytes */
export const keccak256 = (bytes: Uint8Array): Uint8Array =>
  ready ? ready.init().update(bytes).digest('binary') : keccak_256(bytes);
