import { concat } from './writer.js';

/** Bytes in RLP, Ethereum's encoding. */
export function rlpBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] as number) < 0x80) return bytes;
  return concat([head(0x80, bytes.length), bytes]);
}

/** A list in RLP; its items are encoded already. */
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

function head(kind: number, length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(kind + length);
  const digits = length.toString(16);
  const size = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return concat([Uint8Array.of(kind + 55 + size.length), size]);
}
