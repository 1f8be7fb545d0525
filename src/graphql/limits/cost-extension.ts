import type { PageLimits } from '../../paging/page-request.js';

/** What a field may declare in its extensions. */
export interface CostExtension {
  /** What the field itself counts as, if its work is not in proportion to what it returns; default 1. */
  cost?: number;
  /**
   * Name of the work that `cost` is for, if several fields share it: an operation that selects several of
   * them pays once.
   */
  work?: string;
  /**
   * How many times its selection counts: for a row of which there is one for each entry of a list, where the
   * list itself counts once.
   */
  times?: number;
  /**
   * For a list of a connection that is not in its rows: the argument of the connection's field that is a list
   * of the same length. Not given: the list has an entry for each row.
   */
  lengthOf?: string;
  /** Rows of a page if none are requested, if that is not the usual number. */
  defaultPageSize?: number;
  /** How many rows of a page count as one if only scalars are selected of them; default 1. */
  scalarRows?: number;
}

/**
 * What a connection with pages of thousands of short rows declares, so that a whole page of their scalars is
 * within the limit.
 */
export function longPages({ default: defaultPageSize }: PageLimits): CostExtension {
  return { defaultPageSize, scalarRows: 10 };
}
