import { DAY_SECONDS } from '../../avalanche/seconds.js';

/**
 * Bytes that a row takes in its table and in all of its indexes, by the table that a stream counts. They are
 * those of docs/sizing.md, which a test compares.
 */
export const rowBytes: Readonly<Record<string, number>> = {
  internal_tx: 917,
  nft_token: 423,
  icm_message: 7899,
  evm_balance: 343,
};

/** How many blocks, what one takes in the database, and how many are read in a second. */
export interface BlocksCost {
  readonly blocks: bigint;
  /** Null while it is not known. */
  readonly perSecond: number | null;
  /** Rows of a block by table; null while they are not known. */
  readonly rows: Readonly<Record<string, number>> | null;
}

/** Bytes of the rows of a block. Tables without a size count nothing. */
const bytesOf = (rows: Readonly<Record<string, number>>): number =>
  Object.entries(rows).reduce((sum, [table, count]) => sum + count * (rowBytes[table] ?? 0), 0);

/** For people: `26,000,000 blocks, about 30 days at 10 blocks/s, about 600 GB`. */
export function costInWords({ blocks, perSecond, rows }: BlocksCost): string {
  const count = `${blocks.toLocaleString('en')} ${blocks === 1n ? 'block' : 'blocks'}`;
  const time =
    perSecond === null || perSecond <= 0
      ? []
      : [`about ${timeInWords(Number(blocks) / perSecond)} at ${rateInWords(perSecond)} blocks/s`];
  const size = rows === null ? [] : [`about ${bytesInWords(Number(blocks) * bytesOf(rows))}`];
  return [count, ...time, ...size].join(', ');
}

const rateInWords = (perSecond: number) =>
  perSecond >= 10 ? Math.round(perSecond).toLocaleString('en') : perSecond.toPrecision(2);

function timeInWords(seconds: number): string {
  const ways = [
    { unit: 'days', seconds: DAY_SECONDS },
    { unit: 'h', seconds: 3600 },
    { unit: 'min', seconds: 60 },
  ];
  const found = ways.find((each) => seconds >= 2 * each.seconds);
  return found
    ? `${Math.round(seconds / found.seconds).toLocaleString('en')} ${found.unit}`
    : `${Math.ceil(seconds)} s`;
}

/** With one or two digits: nothing here is known better. */
export function bytesInWords(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${value >= 10 ? Math.round(value) : Number(value.toPrecision(2))} ${units[unit]}`;
}
