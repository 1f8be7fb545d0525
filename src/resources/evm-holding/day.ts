import { dayOf } from '../../avalanche/seconds.js';

const DAY =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))';
const [HOUR, SIXTY] = ['(?:[01][0-9]|2[0-3])', '[0-5][0-9]'];
const TIME = `(?:${HOUR}:${SIXTY}(?::${SIXTY}(?:[.][0-9]+)?)?|24:00(?::00(?:[.]0+)?)?)`;
/** The pattern of a day; it accepts February 29 of any year. */
export const DATE_PATTERN = `^[0-9]{4}-${DAY}(?:T${TIME}(?:Z|[+-]${HOUR}:${SIXTY})?)?$`;
/** Characters of one, with nanoseconds and an offset. */
export const MOST_OF_DATE = 35;
const DATE = new RegExp(DATE_PATTERN);

/** Later than any day; means "until now" and "all days". */
export const LAST_DAY = 2_147_483_647;

/**
 * The day number (days since 1970-01-01, UTC) of `YYYY-MM-DD` or of an ISO 8601 date-time, by its UTC day;
 * without offset it is UTC. Null for anything else and for days that do not exist.
 */
export function parseDay(text: string): number | null {
  if (text.length > MOST_OF_DATE || !DATE.test(text)) return null;
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number];
  const written = new Date(0);
  written.setUTCFullYear(year, month - 1, day);
  // Date takes February 29 of other years for March 1.
  if (written.getUTCDate() !== day) return null;
  if (!text.includes('T')) return dayOf(written.getTime() / 1000);
  const time = Date.parse(/Z|[+-]\d{2}:\d{2}$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? null : dayOf(time / 1000);
}
