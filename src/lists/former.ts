import { markAtText, markText, positionText, rowText } from '../paging/position.js';
import type { ListSql, Order } from './list.js';

/**
 * SQL of the present position of the row that a token of a list's former order names, which had a hash of the
 * first of the values that move alone: no row where the token is no such, or where another row may be on the
 * other side of it by now. Without one the rows before the token are the same in both orders, so that none
 * comes twice or is missed.
 *
 * @param at SQL of the token's position
 */
export function carriedText(
  { table }: NonNullable<ListSql['cursor']>,
  { resorted, moves = [], position }: Order,
  at: string,
): string | null {
  if (resorted === undefined || !position) return null;
  const columns = position('c');
  const [former = '', ...others] = moves.map((index) => columns[index] ?? '');
  return `SELECT ${positionText('c.id', markText([former, ...others]))}::text AS position FROM ${table} c
    WHERE c.id = ${rowText(at)} AND ${markText([former])} = ${markAtText(at)}
      AND NOT EXISTS (SELECT 1 FROM ${table} o WHERE o.id <> c.id AND ${resorted})`;
}
