import type { PageRequest } from './page-request.js';

/** A page of the list of one parent. */
export interface NestedPage {
  request: PageRequest;
}

/**
 * The paging parameters of a statement that reads many pages of one shape: `afters` and `befores` by page,
 * and `limit`, one row more than a page has, null for all.
 */
export function pageValues(pages: readonly [NestedPage, ...NestedPage[]]) {
  const [{ request }] = pages;
  return {
    afters: pages.map((page) => page.request.after),
    befores: pages.map((page) => page.request.before),
    limit: request.limit === null ? null : request.limit + 1,
  };
}

/** Splits the rows of one statement into pages: ordinal is the page's, from 1. */
export function rowsByPage<Row extends { ordinal: number }>(rows: readonly Row[], pages: number): Row[][] {
  const byPage = Array.from({ length: pages }, (): Row[] => []);
  for (const row of rows) byPage[row.ordinal - 1]?.push(row);
  return byPage;
}
