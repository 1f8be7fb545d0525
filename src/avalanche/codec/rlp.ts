import { keccak256 } from '../keccak.js';
import { CodecError } from './reader.js';

/*
 * RLP, Ethereum's encoding. Bytes are texts here, two hexadecimal digits each, as nodes print them: joining
 * texts takes a fraction of the time of copying bytes.
 */

/** Bytes in RLP. */
export const rlpBytes = (digits: string): string =>
  digits.length === 2 && digits < '8' ? digits : head(0x80, digits.length / 2) + digits;

/** A list in RLP, of items that are encoded already. */
export function rlpList(items: readonly string[]): string {
  const all = items.join('');
  return head(0xc0, all.length / 2) + all;
}

/** A whole number as RLP has it: the shortest big-endian bytes, none for 0. */
export const numberBytes = (value: bigint): string => (value === 0n ? '' : wholeBytes(value.toString(16)));

/** Digits of a number as whole bytes. */
export const wholeBytes = (digits: string): string => (digits.length % 2 === 0 ? digits : `0${digits}`);

/** keccak256 of bytes, as they are above. @throws CodecError where something else than a digit stands */
export function keccakOf(digits: string): string {
  const bytes = Buffer.from(digits, 'hex');
  if (bytes.length * 2 !== digits.length) throw new CodecError(bytes.length, 'two hexadecimal digits');
  return Buffer.from(keccak256(bytes)).toString('hex');
}

/** The first item of a list of lists in RLP, as it is encoded. @throws CodecError for any other bytes */
export function firstOfList(bytes: Uint8Array): Uint8Array {
  const list = contentOf(bytes, 0);
  const first = contentOf(bytes, list.start);
  if (first.end > list.end || list.end > bytes.length) throw new CodecError(0, 'a list of lists in RLP');
  return bytes.subarray(list.start, first.end);
}

/** Where the items of a list are that begins at an offset. */
function contentOf(bytes: Uint8Array, offset: number): { start: number; end: number } {
  const kind = bytes[offset] ?? 0;
  if (kind < 0xc0) throw new CodecError(offset, 'a list in RLP');
  const size = Math.max(0, kind - 0xf7);
  const start = offset + 1 + size;
  const long = bytes.subarray(offset + 1, start).reduce((length, byte) => length * 256 + byte, 0);
  return { start, end: start + (size === 0 ? kind - 0xc0 : long) };
}

function head(kind: number, length: number): string {
  if (length < 56) return (kind + length).toString(16);
  const size = wholeBytes(length.toString(16));
  return (kind + 55 + size.length / 2).toString(16) + size;
}
