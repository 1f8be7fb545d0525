import fc from 'fast-check';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { parseJson } from '../../src/json.js';
import type { Storage } from '../../src/storage/open.js';
import { importRows } from './import-rows.js';

export const DAY = 86_400;
/** The day from which points count. */
export const FIRST = Date.UTC(2026, 9, 1) / 1000;
export const DAILY = 'perSubnetDailyFeesPaid';
export const CUMULATIVE = 'perSubnetCumulativeFeesPaid';
export const VALIDATORS = 'perSubnetPayingValidators';

/** The id of a subnet by its number, 0 to 255. */
export const subnetAt = (number: number) => encodeCb58(Buffer.alloc(32, number));

export interface Point {
  day: number;
  value: bigint;
}

/** Any points of one series, newest first. */
export const series = fc
  .uniqueArray(
    fc.record({ day: fc.nat(20), value: fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, 2n ** 70n)) }),
    { selector: ({ day }) => day, maxLength: 15 },
  )
  .map((points): Point[] => points.sort((a, b) => b.day - a.day));

/** At each point its sum with all older ones. */
export const runningSums = (points: readonly Point[]): Point[] =>
  points.map(({ day }) => ({
    day,
    value: points.filter((each) => each.day <= day).reduce((sum, { value }) => sum + value, 0n),
  }));

export type Series = [subnetId: string, metric: string, points: readonly Point[], network?: string];

export function importSeriesTo(storage: Storage, ...[subnetId, metric, points, network = 'fuji']: Series) {
  const rows = points.map(({ day, value }) => ({
    subnetId,
    metric,
    timestamp: FIRST + day * DAY,
    value: value.toString(),
  }));
  return importRows(storage, `${network}.subnet-metrics`, rows);
}

/** Results of a reply with exact numbers. */
export function resultsOf(text: string): { value: number | bigint; timestamp: number }[] {
  return (parseJson(text) as { results: { value: number | bigint; timestamp: number }[] }).results;
}

export const pathOf = (subnetId: string, metric: string, query = '') =>
  `/v2/subnet/${subnetId}/metrics/${metric}${query}`;
