import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'mrn_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 30;
// 62^6 is the first power of 62 above 2^32.
const checksumLength = 6;
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** Makes a key: `mrn_`, 30 random base62 digits (178 bits), and six of the CRC-32 of what precedes. */
export function createKey(): string {
  const body = prefix + randomDigits(secretLength);
  return body + checksum(body);
}

/** What is wrong with a text that should be a key; undefined when its shape and checksum are right. */
export function keyProblem(text: string): 'malformed' | 'checksum' | undefined {
  if (!shape.test(text)) return 'malformed';
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength) ? undefined : 'checksum';
}

const inText = new RegExp(`${prefix}[0-9A-Za-z]{8,}`, 'g');

/** A client's text as it may be logged: keys in it, whole or cut off, are masked. */
export function withoutKeys(text: string): string {
  return text.replace(inText, `${prefix}…`);
}

/**
 * The SHA-256 under which a key is stored, 32 bytes. A plain hash is enough: 178 random bits cannot be
 * guessed, so salt or a slow hash would protect nothing.
 */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let index = 0; index < checksumLength; index += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

function randomDigits(length: number): string {
  // 248 is the largest multiple of 62 in a byte; taking the rest modulo 62 would favour the first digits.
  let digits = '';
  while (digits.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && digits.length < length) digits += alphabet.charAt(byte % alphabet.length);
    }
  }
  return digits;
}
