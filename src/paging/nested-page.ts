import type { PageRequest } from './page-request.js';

/** A page of a list that hangs on a parent. */
export interface NestedPage {
  request: PageRequest;
}

/** Rows of many pages as one statement returns them, taken apart: ordinal is the page's, from 1. */
export function rowsByPage<Row extends { ordinal: number }>(rows: readonly Row[], pages: number): Row[][] {
  const byPage = Array.from({ length: pages }, (): Row[] => []);
  for (const row of rows) byPage[row.ordinal - 1]?.push(row);
  return byPage;
}
