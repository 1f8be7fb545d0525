/* What the codec writes: the parts of its own objects, big endian. */

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

export function u32Bytes(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

/** @param value below 2^64 */
export function u64Bytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

/** Items after their number. */
export function list(items: readonly Uint8Array[]): Uint8Array {
  return concat([u32Bytes(items.length), ...items]);
}

/** Bytes after their number. */
export function sized(bytes: Uint8Array): Uint8Array {
  return concat([u32Bytes(bytes.length), bytes]);
}

/** A text after the number of its bytes, which is below 65,536. */
export function text(value: string): Uint8Array {
  const bytes = Buffer.from(value);
  return concat([Uint8Array.of(bytes.length >>> 8, bytes.length), bytes]);
}
