import { hash } from 'node:crypto';
import { base58 } from '@scure/base';

const CHECKSUM_BYTES = 4;

/** CB58, the text form of ids and hashes: base58 of the bytes and the last 4 bytes of their SHA-256. */
export function encodeCb58(bytes: Uint8Array): string {
  return base58.encode(withChecksum(bytes));
}

/** The bytes behind a CB58 text; null when it is not base58 or its checksum is wrong. */
export function decodeCb58(text: string): Uint8Array | null {
  // Base58 decoding is quadratic in the length, so a text that is too long for an id is not decoded.
  if (text.length > 128 || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return null;
  const all = base58.decode(text);
  const length = all.length - CHECKSUM_BYTES;
  if (length <= 0) return null;
  const bytes = all.subarray(0, length);
  const sum = checksumOf(bytes);
  for (let index = 0; index < CHECKSUM_BYTES; index += 1) {
    if (sum.charCodeAt(index) !== all[length + index]) return null;
  }
  return bytes;
}

/** Whether the text is a 32-byte id: a transaction hash, a UTXO id, a blockchain id, a subnet id. */
export const isId = (text: string): boolean => decodeId(text) !== null;

/** The 32 bytes of an id; null for any other text. */
export function decodeId(text: string): Uint8Array | null {
  const bytes = text.length <= 52 ? decodeCb58(text) : null;
  return bytes?.length === 32 ? bytes : null;
}

/** Whether a text is a node id as replies print it: `NodeID-` and 20 bytes. */
export function isNodeId(text: string): boolean {
  const [, bytes] = /^NodeID-(.{1,40})$/.exec(text) ?? [];
  return bytes !== undefined && decodeCb58(bytes)?.length === 20;
}

/** The bytes followed by the last 4 bytes of their SHA-256. */
export function withChecksum(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + CHECKSUM_BYTES);
  out.set(bytes);
  const sum = checksumOf(bytes);
  for (let index = 0; index < CHECKSUM_BYTES; index += 1) out[bytes.length + index] = sum.charCodeAt(index);
  return out;
}

/**
 * The bytes before a checksum that `withChecksum` made.
 *
 * @throws Error when the checksum is not that of the bytes
 */
export function withoutChecksum(all: Uint8Array): Uint8Array {
  const length = all.length - CHECKSUM_BYTES;
  const bytes = all.subarray(0, Math.max(0, length));
  const sum = checksumOf(bytes);
  for (let index = 0; index < CHECKSUM_BYTES; index += 1)
    if (sum.charCodeAt(index) !== all[length + index]) throw new Error('the checksum is wrong');
  return bytes;
}

// A binary string, which takes a quarter of the time of a buffer: an import checks two or three ids a line.
const checksumOf = (bytes: Uint8Array) => hash('sha256', bytes, 'binary').slice(-CHECKSUM_BYTES);
