import type { Shape } from '../lists/list.js';
import type { Pieces } from './pieces.js';
import type { ListPart, Row } from './plan.js';

/** SQL of a page of a list, in pieces. */
export interface PageSql {
  shape: Shape;
  limit: number;
  rowOf: (row: Row) => Pieces;
  cursor: () => string;
  /** A condition of what is aggregated: the surplus row is none of the page. */
  kept: string;
  inOrder: string;
  backwards: string;
}

/** Whether what is selected of a list tells if there is a row beyond its page. */
export function looksBeyond(parts: readonly ListPart[], direction: 'forward' | 'backward'): boolean {
  const asked = direction === 'forward' ? 'hasNextPage' : 'hasPreviousPage';
  return parts.some((part) => part.is === 'pageInfo' && part.parts.some(({ is }) => is === asked));
}

/** SQL of the JSON text of a field of PageInfo. */
export function infoText(part: { is: string; sql?: string }, page: PageSql): string {
  const { request } = page.shape;
  const more = `(count(*) > ${page.limit})::text`;
  const first = (order: string) =>
    `coalesce((array_agg(${page.cursor()} ORDER BY ${order})${page.kept})[1], 'null')`;
  switch (part.is) {
    case 'hasNextPage':
      return request.direction === 'forward' ? more : `'${request.before !== null}'`;
    case 'hasPreviousPage':
      return request.direction === 'backward' ? more : `'${request.after !== null}'`;
    case 'startCursor':
      return first(page.inOrder);
    case 'endCursor':
      return first(page.backwards);
    default:
      return part.sql ?? `'null'`;
  }
}
