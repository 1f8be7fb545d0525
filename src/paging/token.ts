import { createCipheriv, createHash, hkdfSync } from 'node:crypto';
import { badInput } from '../errors.js';
import { POSITION_BITS } from './position.js';
import { fromBlock, fromUuid, isUuid, toBlock, toUuid } from './uuid.js';

/** How long a page token is valid after the hour of its issue, seconds (docs/contract.md, "Page tokens"). */
export const TOKEN_LIFETIME_SECONDS = 86_400;
/** Tolerance for clocks of several machines that issue and read tokens, seconds. */
const CLOCK_SKEW_SECONDS = 300;

// A v4 UUID has 122 free bits: tag 40 ‖ position 62 · hour of issue 20. The count of hours starts again after
// 119 years. Not seconds, so that a page that is requested again has the same tokens: clients' caches compare
// them.
const TAG_BITS = 40n;
const HOUR_BITS = 20n;
const PAYLOAD_BITS = POSITION_BITS + HOUR_BITS;
const HOURS = 2 ** Number(HOUR_BITS);
const SECONDS_PER_HOUR = 3600;

/** The query of a token, as 16 bytes: its resource and all resolved parameters but the page size. */
export type QueryDigest = Buffer;

/**
 * The digest of a resolved query. Values that are null are left out, and the caller leaves out those that are
 * the default: so a new argument keeps all old tokens valid.
 *
 * @param resource what is listed, for example `utxos`
 * @param values resolved values by name, in which aliases and the order of lists make no difference
 */
export function digestQuery(resource: string, values: Readonly<Record<string, unknown>>): QueryDigest {
  let text = `[${printValue(resource)}`;
  for (const name of Object.keys(values).sort()) {
    const value = values[name];
    if (value !== null && value !== undefined) text += `,${printValue(name)},${printValue(value)}`;
  }
  return createHash('sha256').update(`${text}]`).digest().subarray(0, 16);
}

/**
 * A value in the form for digests and comparisons: JSON with numbers as strings, because the database may
 * return either.
 */
export function printValue(value: unknown): string {
  // Each page prints a dozen values, nearly all of them texts and lists of texts: with a replacer that takes
  // 9 µs.
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) return `[${value.map((each) => printValue(each) || 'null').join()}]`;
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' || typeof each === 'number' ? String(each) : each,
  ) as string | undefined;
  return text ?? '';
}

export interface TokenCodec {
  /** The token of this hour for a position in the list of the query: see position.ts. */
  issue(query: QueryDigest, position: bigint): string;
  /**
   * The position that a token contains.
   *
   * @param name the caller's name for the parameter, for the message
   * @param foreign what the message says of a token of another query
   * @throws AppError BAD_USER_INPUT when it is no token, of another query, expired, or from the future
   */
  read(query: QueryDigest, token: string, name: string, foreign?: string): bigint;
  /** Whether a token was issued here for this query, expired or not; false for what is no token. */
  belongs(query: QueryDigest, token: string): boolean;
}

/**
 * Makes page tokens: UUIDs that contain the encrypted position, so that nothing is stored and every process
 * with the same secret can read them. Synthetic IV as in RFC 5297: the tag authenticates query and payload
 * and is the IV of the payload's encryption.
 *
 * @param secret at least 16 random bytes, stored in the database
 * @param installationId makes the tokens of two databases with one secret differ
 * @param now present time, milliseconds
 */
export function createTokenCodec(secret: Buffer, installationId: string, now: () => number): TokenCodec {
  const keys = Buffer.from(hkdfSync('sha256', secret, installationId, 'moraine page token', 32));
  const authenticate = blockCipher(keys.subarray(0, 16));
  const encrypt = blockCipher(keys.subarray(16));
  const hour = () => Math.floor(now() / 1000 / SECONDS_PER_HOUR) % HOURS;
  /** Hours from the hour of issue to the present one; negative for a future one. */
  const hoursSince = (issued: number) => {
    const hours = (hour() - issued + HOURS) % HOURS;
    return hours < HOURS / 2 ? hours : hours - HOURS;
  };

  // CBC-MAC over exactly two blocks; the fixed length is what makes plain CBC-MAC sound.
  const tagOf = (query: QueryDigest, payload: bigint): bigint => {
    const block = authenticate(query);
    xorInto(block, toBlock(payload));
    return fromBlock(authenticate(block)) >> (128n - TAG_BITS);
  };
  const mask = (tag: bigint): bigint => fromBlock(encrypt(toBlock(tag))) >> (128n - PAYLOAD_BITS);
  /** The payload of a token's bits; null when they are not of this query. */
  const open = (query: QueryDigest, bits: bigint): bigint | null => {
    const tag = bits >> PAYLOAD_BITS;
    const payload = (bits & ((1n << PAYLOAD_BITS) - 1n)) ^ mask(tag);
    return tagOf(query, payload) === tag ? payload : null;
  };

  return {
    issue(query, position) {
      if (position < 0n || position >> POSITION_BITS)
        throw new RangeError(`position ${position} does not fit a token`);
      const payload = (position << HOUR_BITS) | BigInt(hour());
      const tag = tagOf(query, payload);
      return toUuid((tag << PAYLOAD_BITS) | (payload ^ mask(tag)));
    },
    read(
      query,
      token,
      name,
      foreign = 'was not issued here for this list with these filters and this order',
    ) {
      const bits = fromUuid(token);
      if (bits === null) throw notAToken(name, token);
      const payload = open(query, bits);
      if (payload === null) {
        throw refusal(name, token, foreign);
      }
      const seconds = hoursSince(Number(payload & ((1n << HOUR_BITS) - 1n))) * SECONDS_PER_HOUR;
      if (seconds > TOKEN_LIFETIME_SECONDS)
        throw refusal(name, token, 'has expired (page tokens are valid for 24 hours)');
      const ahead = -seconds - (Math.floor(now() / 1000) % SECONDS_PER_HOUR);
      if (ahead > CLOCK_SKEW_SECONDS)
        throw refusal(
          name,
          token,
          `was issued ${ahead} seconds ahead of the clock of this gateway: two clocks differ`,
        );
      return payload >> HOUR_BITS;
    },
    belongs(query, token) {
      const bits = fromUuid(token);
      return bits !== null && open(query, bits) !== null;
    },
  };
}

/**
 * Checks only a token's form, so that the request's other errors can be reported together with it.
 *
 * @throws AppError BAD_USER_INPUT when it is no UUID of version 4
 */
export function checkTokenForm(name: string, token: string): string {
  if (!isUuid(token)) throw notAToken(name, token);
  return token;
}

function notAToken(name: string, token: string): Error {
  return refusal(name, token, 'is not a page token (a UUID from a previous page)');
}

/** The refusal of a token whose list has other rows by now, where pages of both must not be mixed. */
export function changedList(name: string, token: string): Error {
  return refusal(name, token, 'belongs to data that an import has changed since');
}

/** The refusal of a token whose row is gone, or has moved in the order. */
export function lostPosition(name: string, token: string): Error {
  return refusal(name, token, 'names a row that an import has removed or moved since');
}

function refusal(name: string, token: string, reason: string): Error {
  // As a list: docs/contract.md, "Error body".
  return badInput([
    `${name}: ${JSON.stringify(token.slice(0, 64))} ${reason}; start again from the first page`,
  ]);
}

function blockCipher(key: Buffer): (block: Buffer) => Buffer {
  // ECB of single blocks is the bare AES permutation; the cipher object is reused, because making one costs
  // more.
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  return (block) => cipher.update(block);
}

function xorInto(target: Buffer, other: Buffer): void {
  for (let index = 0; index < 16; index += 1) target[index] = (target[index] ?? 0) ^ (other[index] ?? 0);
}
