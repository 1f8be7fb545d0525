import type { PageLimits } from '../../paging/page-request.js';

/** What a field may declare in its extensions. */
export interface CostExtension {
  /** What the field itself counts as, where its work is not in proportion to what it returns; else 1. */
  cost?: number;
  /** Name of the work that `cost` is for, when several fields share it: a selection of more than one pays it once. */
  work?: string;
  /** How many times what is selected of it counts: for a row that hangs on the entries of a list that itself counts once. */
  times?: number;
  /**
   * Of a list beside the rows of a page: the argument of the connection's field that is a list as long. Not given: it has an
   * entry for each row.
   */
  lengthOf?: string;
  /** Rows of a page when none are asked for, where that is not the usual number. */
  defaultPageSize?: number;
  /** How many rows of a page count as one where nothing but scalars is selected of them; else 1. */
  scalarRows?: number;
}

/** What a connection with pages of thousands of short rows declares: a whole page of their scalars is then in reach. */
export function longPages({ default: defaultPageSize }: PageLimits): CostExtension {
  return { defaultPageSize, scalarRows: 10 };
}
