import type { PageRequest } from './page-request.js';

export type ListOrder = 'asc' | 'desc';

export interface Keyset {
  /** Conditions on the columns, each beginning with AND; empty on a first page. */
  conditions: string;
  /** ORDER BY list in reading direction. */
  readingOrder: string;
  /** Whether the rows come in reverse list order. */
  reversed: boolean;
}

/**
 * SQL of one page of a list whose columns form a total order. Rows beyond a cursor are found by comparing
 * whole rows, which one index range answers however far the page is from the first.
 *
 * @param columns in order of significance; all sort in the same direction
 * @param position the SQL of a cursor's own values, `(SELECT a, b FROM …)`, by cursor
 */
export function keyset(
  columns: readonly string[],
  order: ListOrder,
  request: Pick<PageRequest<unknown>, 'direction' | 'after' | 'before'>,
  position: (cursor: 'after' | 'before') => string,
): Keyset {
  const row = `(${columns.join(', ')})`;
  const beyond = order === 'asc' ? '>' : '<';
  const ahead = order === 'asc' ? '<' : '>';
  const reversed = request.direction === 'backward';
  const reading = (order === 'asc') === reversed ? 'DESC' : 'ASC';
  return {
    conditions:
      (request.after === null ? '' : ` AND ${row} ${beyond} ${position('after')}`) +
      (request.before === null ? '' : ` AND ${row} ${ahead} ${position('before')}`),
    readingOrder: columns.map((column) => `${column} ${reading}`).join(', '),
    reversed,
  };
}

/** Letters that name the texts that keyset() can make, for a statement's name. */
export function keysetName(
  order: ListOrder,
  request: Pick<PageRequest<unknown>, 'direction' | 'after' | 'before'>,
): string {
  const cursors = `${request.after === null ? '' : 'a'}${request.before === null ? '' : 'b'}`;
  return `${order}_${request.direction}_${cursors}`;
}
