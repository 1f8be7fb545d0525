import type { Sift } from './list.js';

/*
 * A list whose rows no index range can select: the keys of a range are checked in order, and each row either
 * belongs to the list or does not. So that a page is bounded, however many rows it passes over, it checks so
 * many rows and no more; if it is not full then, its last row is a stop: a row that only says how far the
 * check went.
 */

/**
 * How many keys each page of a statement checks: at least as many as it has rows.
 *
 * @param limit rows of a page
 * @throws Error without a limit: reading all of such a list is not bounded
 */
export function windowOf({ most }: Sift, limit: number | null, pages: number): number {
  if (limit === null) throw new Error('a list that is sifted can only be read by pages');
  return Math.max(limit, Math.floor(most / pages));
}

/**
 * SQL of the keys of a page in reading order, and of its stop.
 *
 * @param keys SQL of the keys before any is checked, cut at `:limit`
 * @param conditions SQL of the conditions for the rows of the list
 * @param reading ORDER BY list of the keys in reading order, and in the other one
 */
export function siftedText(
  keys: string,
  { from, on }: { from: string; on: string },
  conditions: string,
  reading: { order: string; backwards: string },
): string {
  // OFFSET 0 keeps the planner from sorting after the check, which it would then do for all rows.
  return `
    WITH looked AS MATERIALIZED (${keys.replaceAll(':limit::bigint', ':window::bigint')}),
    passed AS MATERIALIZED (
      SELECT page.* FROM (SELECT * FROM looked page ORDER BY ${reading.order} OFFSET 0) page
      CROSS JOIN LATERAL (SELECT FROM ${from} WHERE ${on} AND ${conditions} OFFSET 0) found
      ORDER BY ${reading.order} LIMIT :limit::bigint)
    SELECT passed.*, false AS "isStop" FROM passed
    UNION ALL (
      SELECT page.*, true FROM looked page
      WHERE (SELECT count(*) FROM looked) >= :window::bigint AND (SELECT count(*) FROM passed) < :limit::bigint
      ORDER BY ${reading.backwards} LIMIT 1)`;
}
