import type { Shape } from '../lists/list.js';
import type { Pieces } from './pieces.js';
import type { ListPart, Row } from './plan.js';

/** SQL of a page of a list, in pieces. */
export interface PageSql {
  shape: Shape;
  /** SQL of the largest number of its rows; null: all. */
  size: string | null;
  rowOf: (row: Row) => Pieces;
  /** SQL of a row's whole text. */
  textOf: () => string;
  /**
   * SQL of a row's position or, with `of`, of the position of one row of the page.
   *
   * @param of makes the SQL that picks one value from the values of all rows
   */
  position: (of?: (value: string) => string) => string;
  /** SQL of the JSON text of a row's page token, from SQL of its position; NULL without one. */
  cursor: (position: string) => string;
  /** A condition for aggregates: the row after the page is not part of it. */
  kept: string;
  inOrder: string;
}

/** Whether the selected fields show if there is a row beyond the page. */
export function looksBeyond(parts: readonly ListPart[], direction: 'forward' | 'backward'): boolean {
  const wanted = direction === 'forward' ? 'hasNextPage' : 'hasPreviousPage';
  return parts.some((part) => part.is === 'pageInfo' && part.parts.some(({ is }) => is === wanted));
}

/** SQL of the JSON text of a field of PageInfo. */
export function infoText(part: { is: string; sql?: string }, page: PageSql): string {
  const { request } = page.shape;
  const more = page.size === null ? `'false'` : `(count(*) > ${page.size})::text`;
  // Sorted like the rows, which costs nothing more; and a token is made for one row only.
  const valueAt = (index: string) => (value: string) =>
    `(array_agg(${value} ORDER BY ${page.inOrder})${page.kept})[${index}]`;
  const cursorAt = (index: string) => `coalesce(${page.cursor(page.position(valueAt(index)))}, 'null')`;
  switch (part.is) {
    case 'hasNextPage':
      return request.direction === 'forward' ? more : `'${request.before !== null}'`;
    case 'hasPreviousPage':
      return request.direction === 'backward' ? more : `'${request.after !== null}'`;
    case 'startCursor':
      return cursorAt('1');
    case 'endCursor':
      return cursorAt(page.kept ? `least(count(*), ${page.size})::int` : 'count(*)::int');
    default:
      return part.sql ?? `'null'`;
  }
}
