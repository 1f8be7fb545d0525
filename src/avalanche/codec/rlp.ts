import { CodecError } from './reader.js';
import { concat } from './writer.js';

/** Bytes in RLP, Ethereum's encoding. */
export function rlpBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] as number) < 0x80) return bytes;
  return concat([head(0x80, bytes.length), bytes]);
}

/** A list in RLP, of items that are encoded already. */
export function rlpList(items: readonly Uint8Array[]): Uint8Array {
  const length = items.reduce((sum, item) => sum + item.length, 0);
  return concat([head(0xc0, length), ...items]);
}

/** A whole number as RLP has it: the shortest big-endian bytes, none for 0. */
export function numberBytes(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0);
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
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

function head(kind: number, length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(kind + length);
  const digits = length.toString(16);
  const size = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return concat([Uint8Array.of(kind + 55 + size.length), size]);
}
