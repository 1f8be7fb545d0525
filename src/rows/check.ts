import { AddressError, parseAddress } from '../avalanche/address.js';
import { decodeId } from '../avalanche/cb58.js';
import { identityOf } from '../avalanche/identity.js';
import type { Network } from '../avalanche/networks.js';
import { shown } from '../errors.js';
import { LONGEST_LIST, LONGEST_TEXT } from './bounds.js';
import { RowError } from './errors.js';

/** A JSON object of an import row. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A line of a file, or a part of one, before it is checked: its fields may contain anything. */
export type Unchecked<Line> = { readonly [Field in keyof Line]?: unknown };

/** A check of one value: returns it as it is stored, or throws RowError that begins with its name. */
export type Check<T> = (value: unknown, name: string) => T;

export const UINT64_MAX = 2n ** 64n - 1n;
export const INT64_MAX = 2n ** 63n - 1n;
export const UINT32_MAX = 2n ** 32n - 1n;
/** The last second that is accepted as a time: in milliseconds it would be a day in 1973. */
export const LATEST_SECOND = 99_999_999_999n;

const asPosition: Check<string> = (value, name) => asDigits(2n ** 36n - 1n)(value, name);

// Ids and addresses repeat, and checking one costs 8 and 4 µs: as much as parsing its row.
const MOST_REMEMBERED = 50_000;
/** Bytes of ids, each as a latin1 text, which takes a quarter of the memory. */
const knownIds = new Map<string, string>();
/** By the hrp that they begin with, which another identity of a network changes. */
const knownAddresses = new Map<string, Map<string, string>>();

/** The check, or null for an absent value (null counts as absent). */
export function ifGiven<T>(check: Check<T>, value: unknown, name: string): T | null {
  return value === undefined || value === null ? null : check(value, name);
}

export function asObject<Line = JsonObject>(value: unknown, name: string): Unchecked<Line> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw wrong(name, value, 'an object');
}

/** Checks each item; its name includes its position. @param most items that it may have */
export function asList<T>(check: Check<T>, most = LONGEST_LIST): Check<T[]> {
  return (value, name) => {
    if (!Array.isArray(value)) throw wrong(name, value, 'a list');
    if (value.length > most)
      throw new RowError(`${name}: has ${value.length} items; at most ${most} are accepted`);
    return value.map((item, index) => check(item, `${name}[${index}]`));
  };
}

/** A text. @param longest bytes that it may have in UTF-8 */
export function asTextOf(longest: number): Check<string> {
  return (value, name) => {
    if (typeof value !== 'string') throw wrong(name, value, 'a string');
    // No character has more than three bytes for each of its code units.
    if (value.length * 3 > longest && Buffer.byteLength(value) > longest)
      throw new RowError(`${name}: has ${Buffer.byteLength(value)} bytes; at most ${longest} are accepted`);
    return value;
  };
}

export const asText = asTextOf(LONGEST_TEXT);

export function asBoolean(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw wrong(name, value, 'true or false');
}

/** One of a closed set of texts, in any case: nodes and tools use upper and lower case. */
export function asMember<T extends string>(allowed: readonly T[]): Check<T> {
  const inAnyCase = new Map(allowed.map((each) => [each.toLowerCase(), each]));
  return (value, name) => {
    if (allowed.includes(value as T)) return value as T;
    const member = typeof value === 'string' ? inAnyCase.get(value.toLowerCase()) : undefined;
    if (member !== undefined) return member;
    throw wrong(name, value, allowed.join(' or '));
  };
}

/** The 32 bytes of an id in CB58 as a latin1 text; undefined for any other text. */
export function bytesOfId(text: string): string | undefined {
  const known = knownIds.get(text);
  if (known !== undefined) return known;
  const bytes = decodeId(text);
  if (!bytes) return undefined;
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  if (knownIds.size >= MOST_REMEMBERED) knownIds.clear();
  knownIds.set(text, found);
  return found;
}

/** A 32-byte id in CB58. */
export function asId(value: unknown, name: string): string {
  if (typeof value === 'string' && bytesOfId(value) !== undefined) return value;
  throw wrong(name, value, 'a 32-byte id in CB58');
}

/** A bech32 address of the network, as it is stored: without chain prefix, in lower case. */
export function asAddress(network: Network): Check<string> {
  const { hrp } = identityOf(network);
  const known = knownAddresses.get(hrp) ?? new Map<string, string>();
  knownAddresses.set(hrp, known);
  return (value, name) => {
    const text = asText(value, name);
    const found = known.get(text);
    if (found !== undefined) return found;
    try {
      const address = parseAddress(network, text);
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(text, address);
      return address;
    } catch (error) {
      if (error instanceof AddressError) throw new RowError(`${name}: ${shown(value)} ${error.message}`);
      throw error;
    }
  };
}

/** A JSON number, whole and in range, as decimal digits. */
export function asWhole(max: bigint, min = 0n): Check<string> {
  return (value, name) => {
    if (isWhole(value) && value >= min && value <= max) return value.toString();
    throw wrong(name, value, `a whole number of ${min} to ${max}`);
  };
}

/**
 * When something happened, in Unix seconds, as decimal digits. Milliseconds are refused: a block of the year
 * 55000 would be first in every list for ever.
 */
export const asSeconds: Check<string> = (value, name) => {
  if (isWhole(value) && value >= 0 && value <= LATEST_SECOND) return value.toString();
  throw wrong(name, value, `a time in Unix seconds, 0 to ${LATEST_SECOND}; milliseconds are not accepted`);
};

/** One of the largest 64-bit numbers, which mean "never" as the end of a period. */
const isNever = (value: number | bigint) => value >= INT64_MAX && value <= UINT64_MAX;

/** Whether a number of 64 bits is accepted as the end of a period. */
export const isPeriodEnd = (value: bigint): boolean => value <= LATEST_SECOND || isNever(value);

/** A time as above, for an end of a period, which may also be "never". */
export const asPeriodSeconds: Check<string> = (value, name) => {
  if (isWhole(value) && isNever(value)) return value.toString();
  return asSeconds(value, name);
};

/** The id that an export gave a row; at most what page tokens can contain. */
export function asRowId(value: unknown): string | null {
  return ifGiven(asPosition, value, 'rowId');
}

function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** A string of decimal digits in range, without leading zeros. */
export function asDigits(max: bigint): Check<string> {
  return (value, name) => {
    if (typeof value === 'string' && /^(0|[1-9]\d{0,77})$/.test(value)) {
      // Most values are far below any limit and need no bigint.
      if (value.length < 19 || BigInt(value) <= max) return value;
    }
    throw wrong(name, value, `a string of decimal digits, 0 to ${max}`);
  };
}

export function wrong(name: string, value: unknown, expected: string): RowError {
  const problem = value === undefined || value === null ? 'is missing; it must be' : `${shown(value)} is not`;
  return new RowError(`${name}: ${problem} ${expected}`);
}
