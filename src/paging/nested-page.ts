import type { PageRequest } from './page-request.js';

/** A page of a list that hangs on a parent. */
export interface NestedPage {
  request: PageRequest;
}

/**
 * The paging parameters of a statement that reads many pages of one shape: `afters` and `befores` by page, and
 * `limit`, one row more than a page holds, null for all.
 */
export function pageValues(pages: readonly [NestedPage, ...NestedPage[]]) {
  const [{ request }] = pages;
  return {
    afters: pages.map((page) => page.request.after),
    befores: pages.map((page) => page.request.before),
    limit: request.limit === null ? null : request.limit + 1,
  };
}

/** Rows of many pages as one statement returns them, taken apart: ordinal is the page's, from 1. */
export function rowsByPage<Row extends { ordinal: number }>(rows: readonly Row[], pages: number): Row[][] {
  const byPage = Array.from({ length: pages }, (): Row[] => []);
  for (const row of rows) byPage[row.ordinal - 1]?.push(row);
  return byPage;
}
