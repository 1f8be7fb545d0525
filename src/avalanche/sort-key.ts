const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const HALF = 5;
const HALF_RANGE = BigInt(ALPHABET.length ** HALF);
const digits = new Map([...ALPHABET].map((character, value) => [character.charCodeAt(0), value]));

/**
 * The first ten characters of a CB58 id as a base58 number. Rows of the same time are sorted by it (the
 * columns `tie`). It sorts as the text does, because the alphabet is in code-unit order, and fits a signed
 * 64-bit integer (58^10 < 2^59).
 *
 * @param id at least ten characters of the base58 alphabet; every 32-byte id has 37 or more
 */
export function sortKeyOf(id: string): bigint {
  // Two halves in double precision: one bigint operation instead of ten for each row of an import.
  return BigInt(half(id, 0)) * HALF_RANGE + BigInt(half(id, HALF));
}

function half(id: string, start: number): number {
  let value = 0;
  for (let index = start; index < start + HALF; index += 1) {
    const digit = digits.get(id.charCodeAt(index));
    if (digit === undefined)
      throw new RangeError(`${JSON.stringify(id)} does not begin with ten base58 digits`);
    value = value * ALPHABET.length + digit;
  }
  return value;
}

/** Sort keys with a block begin here, above those that an id alone makes. */
const WITH_BLOCK = 1n << 62n;
const LAST_BLOCK = (1n << 32n) - 1n;
/** Bits below the number of the block; the first of them is set where the position is unknown. */
const IN_BLOCK_BITS = 30n;
const WITHOUT_POSITION = 1n << (IN_BLOCK_BITS - 1n);
const POSITION_BITS = 16n;
/**
 * The largest position in a block that a sort key tells from others. A block of 2 MiB has room for some
 * 10,000 transactions.
 */
export const LAST_POSITION = (1 << Number(POSITION_BITS)) - 1;
/** Bits of the id below a position: blocks of two chains may have one number and one time. */
const ID_BITS = IN_BLOCK_BITS - 1n - POSITION_BITS;
/** Bits of sortKeyOf. */
const KEY_BITS = 59n;

/** Where a transaction stands on its chain. */
export interface ChainPosition {
  /** Decimal digits; null: unknown. */
  blockNumber: string | null;
  /** In its block, from 0 to LAST_POSITION; null: unknown. */
  position: number | null;
}

/**
 * The number by which transactions of the same time are sorted: that of their block, then their position in
 * it; where the position is unknown the beginning of the id, and without a block the id alone. One number for
 * all of it, because it is in eleven indexes: another column would add its bytes to each.
 *
 * @param id see sortKeyOf
 */
export function sortKeyAt({ blockNumber, position }: ChainPosition, id: string): bigint {
  const key = sortKeyOf(id);
  if (blockNumber === null) return key;
  if (position === null)
    return inBlock(blockNumber, WITHOUT_POSITION | (key >> (KEY_BITS - IN_BLOCK_BITS + 1n)));
  return inBlock(blockNumber, (BigInt(position) << ID_BITS) | (key >> (KEY_BITS - ID_BITS)));
}

/**
 * The same of what a log says.
 *
 * @param blockNumber decimal digits
 * @param index of the log among those of its block, at most LAST_LOG
 */
export const sortKeyOfLog = (blockNumber: string, index: string): bigint =>
  inBlock(blockNumber, BigInt(index));
/** No block has the gas for as many logs. */
export const LAST_LOG = WITHOUT_POSITION - 1n;

function inBlock(blockNumber: string, rest: bigint): bigint {
  const number = BigInt(blockNumber);
  return WITH_BLOCK | ((number < LAST_BLOCK ? number : LAST_BLOCK) << IN_BLOCK_BITS) | rest;
}

/** Whether the position of a sort key is unknown. */
export const lacksPosition = (sortKey: bigint): boolean =>
  sortKey < WITH_BLOCK || (sortKey & WITHOUT_POSITION) !== 0n;

const whereKnown = (key: string, sql: string) =>
  `CASE WHEN ${key} >= ${WITH_BLOCK} AND ${key} & ${WITHOUT_POSITION} = 0 THEN ${sql} END`;

/** SQL of the position in the sort key of a transaction; NULL where it is unknown. */
export const positionSql = (key: string) => whereKnown(key, `(${key} >> ${ID_BITS} & ${LAST_POSITION})::int`);

/** SQL of the block and the index in the sort key of a log; NULL where they are unknown. */
export const blockOfLogSql = (key: string) => whereKnown(key, `${key} >> ${IN_BLOCK_BITS} & ${LAST_BLOCK}`);
export const indexOfLogSql = (key: string) => whereKnown(key, `${key} & ${LAST_LOG}`);
