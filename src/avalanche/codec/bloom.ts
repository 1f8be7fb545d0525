import { keccak256 } from '../keccak.js';

/** Where a bloom filter of a header must have bits, for one address or topic. */
export type BloomBits = readonly { readonly byte: number; readonly bit: number }[];

/** Of an address or a topic (Ethereum yellow paper, 4.3.1). @param hex 0x and digits */
export function bloomBits(hex: string): BloomBits {
  const hash = keccak256(Buffer.from(hex.slice(2), 'hex'));
  return [0, 2, 4].map((at) => {
    const index = ((hash[at]! << 8) | hash[at + 1]!) & 2047;
    return { byte: 255 - (index >> 3), bit: 1 << (index & 7) };
  });
}

/** Whether a block with this filter can have a log with one of these; if not, it has none. */
export const mayHave = (bloom: Uint8Array, wanted: readonly BloomBits[]): boolean =>
  wanted.some((bits) => bits.every(({ byte, bit }) => (bloom[byte]! & bit) !== 0));
