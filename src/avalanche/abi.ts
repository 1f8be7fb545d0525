/** Digits of a word of the ABI: 32 bytes. */
export const WORD = 64;

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/**
 * The address in a word; undefined for the zero address, which owns nothing: it stands for what is made or
 * burned.
 */
export function addressIn(word: string): string | undefined {
  const address = `0x${word.slice(-40)}`;
  return address === ZERO_ADDRESS ? undefined : address;
}
