import type { Shape } from '../lists/list.js';
import type { Pieces } from './pieces.js';
import type { ListPart, Row } from './plan.js';

/** SQL of a page of a list, in pieces. */
export interface PageSql {
  shape: Shape;
  /** SQL of how many rows it has at most; null: all. */
  size: string | null;
  rowOf: (row: Row) => Pieces;
  /** SQL of a row's whole text. */
  textOf: () => string;
  /**
   * SQL of a row's place, or of that of one of all rows.
   *
   * @param of makes SQL of a value of the row of SQL of the value of each
   */
  place: (of?: (value: string) => string) => string;
  /** SQL of the JSON text of the page token of a row, by SQL of its place; NULL without one. */
  cursor: (place: string) => string;
  /** A condition of what is aggregated: the surplus row is none of the page. */
  kept: string;
  inOrder: string;
}

/** Whether what is selected of a list tells if there is a row beyond its page. */
export function looksBeyond(parts: readonly ListPart[], direction: 'forward' | 'backward'): boolean {
  const asked = direction === 'forward' ? 'hasNextPage' : 'hasPreviousPage';
  return parts.some((part) => part.is === 'pageInfo' && part.parts.some(({ is }) => is === asked));
}

/** SQL of the JSON text of a field of PageInfo. */
export function infoText(part: { is: string; sql?: string }, page: PageSql): string {
  const { request } = page.shape;
  const more = page.size === null ? `'false'` : `(count(*) > ${page.size})::text`;
  // Sorted as the rows are, which costs nothing then; and a token is made for the one row alone.
  const valueAt = (index: string) => (value: string) =>
    `(array_agg(${value} ORDER BY ${page.inOrder})${page.kept})[${index}]`;
  const cursorAt = (index: string) => `coalesce(${page.cursor(page.place(valueAt(index)))}, 'null')`;
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
