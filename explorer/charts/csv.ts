import { decimalOf } from '../components/amount.js';

/** The value of a day, as the graph gives it. */
export interface DayValue {
  /** Beginning of the day, Unix seconds. */
  timestamp: number | string;
  /** Exact, in smallest units. */
  value: string;
}

/** The UTC day of Unix seconds, YYYY-MM-DD. */
export const dayOf = (timestamp: number | string) =>
  new Date(Number(timestamp) * 1000).toISOString().slice(0, 10);

/**
 * The values as CSV (RFC 4180). It contains only numbers and days: a name that a stranger chose could be a
 * formula for the program that opens it.
 *
 * @param denomination decimals of the asset; if undefined, values are counts
 */
export function csvOf(days: readonly DayValue[], denomination?: number): string {
  const lines = days.map(({ timestamp, value }) =>
    denomination === undefined
      ? [dayOf(timestamp), value]
      : [dayOf(timestamp), value, decimalOf(value, denomination).replaceAll(',', '')],
  );
  const head = denomination === undefined ? ['day', 'count'] : ['day', 'smallest_units', 'amount'];
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/** Has the browser keep a text as a file. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
