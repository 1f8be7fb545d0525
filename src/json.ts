import { parse, stringify } from 'lossless-json';
import { BEYOND_RANGE } from './numbers.js';

// JSON.parse rounds whole numbers from 2^53 on; only texts that may contain one (16 digits or more, outside
// quotes as far as a look-behind can tell) pay for the exact parser, which takes about ten times as long.
const MAY_HOLD_LARGE_NUMBER = /[:,[\s]-?\d{16,}/;

/** No number that we store has as many. */
const MOST_DIGITS = 100;

/**
 * JSON.parse that keeps whole numbers beyond 2^53-1 exact, as bigint; those of more than 100 characters are
 * BEYOND_RANGE. Of a key given twice the last value counts.
 */
export function parseJson(text: string): unknown {
  if (!MAY_HOLD_LARGE_NUMBER.test(text)) return JSON.parse(text) as unknown;
  return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** JSON.stringify that prints what parseJson reads: a bigint as its digits. */
export function printJson(value: unknown): string {
  return String(stringify(value));
}

function parseNumber(digits: string): number | bigint {
  const value = Number(digits);
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(digits)) return value;
  // Making and printing a bigint takes time with the square of its length, and clients choose it.
  if (digits.length > MOST_DIGITS) return value < 0 ? -BEYOND_RANGE : BEYOND_RANGE;
  return BigInt(digits);
}
