import { keccak_256 } from '@noble/hashes/sha3.js';
import { createKeccak } from 'hash-wasm';
import { beforeAll, expect, test } from 'vitest';
import { keccak256 } from '../../src/avalanche/keccak.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

// Until WebAssembly is ready the other implementation answers.
beforeAll(() => createKeccak(256));

test('the hash of nothing is that of the Ethereum yellow paper', () => {
  expect(hex(keccak256(new Uint8Array(0)))).toBe(
    'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  );
});

test('every length and every bit has the hash of another implementation', () => {
  const bytes = Uint8Array.from({ length: 700 }, (_, index) => (index * 151 + (index >> 3)) & 255);
  for (let length = 0; length <= bytes.length; length += 1) {
    const given = bytes.subarray(bytes.length - length);
    expect(hex(keccak256(given)), `${length} bytes`).toBe(hex(keccak_256(given)));
  }
  for (let bit = 0; bit < 136 * 8; bit += 1) {
    const given = new Uint8Array(136);
    given[bit >> 3] = 1 << (bit & 7);
    expect(hex(keccak256(given)), `bit ${bit}`).toBe(hex(keccak_256(given)));
  }
});
