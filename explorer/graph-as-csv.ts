// A file of its own in the bundle: few visits download a list that the REST API does not have.
import { stringify } from 'csv-stringify/browser/esm/sync';
import type { AskedPage, Ends } from './paging.js';
import type * as send from './send.js';

/** Rows of a request: a page of the explorer has half as many and half of the highest cost. */
const ROWS = 48;

/** What every page has: were it imported, it would be a file of its own, one more request of each page. */
interface Deps extends Pick<typeof send, 'ask'> {
  /** Most rows of a file. */
  most: number;
}

interface Connection {
  pageInfo: Ends;
  nodes?: unknown[];
  edges?: unknown[];
}

/**
 * The rows of a list of a page as CSV, from its first pages: what the document of the page asks of each.
 *
 * @param list as the variables of the document begin
 * @param ends of the page of the list that is shown, by which it is found in the answer
 * @throws Refusal
 */
export async function graphAsCsv(
  { document, variables, data }: AskedPage,
  list: string,
  ends: Ends,
  { ask, most }: Deps,
): Promise<{ text: string; isWhole: boolean }> {
  const way = wayTo(data, ends) ?? [];
  const rows: unknown[] = [];
  let after: string | null | undefined;
  do {
    const pages = { [`${list}First`]: ROWS, [`${list}After`]: after };
    const others = { [`${list}Last`]: undefined, [`${list}Before`]: undefined };
    const answer: unknown = await ask<unknown, unknown>(
      document,
      Object.assign({}, variables, pages, others),
    );
    const connection = way.reduce((at, name) => (at as Record<string, unknown>)[name], answer) as Connection;
    rows.push(...(connection.nodes ?? connection.edges ?? []));
    after = connection.pageInfo.hasNextPage ? connection.pageInfo.endCursor : undefined;
  } while (after && rows.length < most);
  return { text: csvOf(rows, list), isWhole: !after };
}

/** The names of members that lead to the connection with these ends. */
function wayTo(value: unknown, ends: Ends): string[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if ((value as { pageInfo?: unknown }).pageInfo === ends) return [];
  for (const [name, member] of Object.entries(value)) {
    const way = wayTo(member, ends);
    if (way) return [name, ...way];
  }
  return undefined;
}

/** Rows as CSV (RFC 4180), in the form of the REST API: a member of an object is a column of its own. */
function csvOf(rows: readonly unknown[], list: string): string {
  const cells = rows.map((row) => new Map(cellsOf(row, '', list)));
  const columns = [...new Set(cells.flatMap((row) => [...row.keys()]))];
  const lines = cells.map((row) => columns.map((column) => row.get(column) ?? ''));
  // As src/rest/csv.ts: a name that a stranger chose could be a formula for the program that opens the file.
  return stringify([columns, ...lines], { record_delimiter: 'windows', escape_formulas: true });
}

function cellsOf(value: unknown, name: string, otherwise: string): [string, string][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return [[name, JSON.stringify(value)]];
  // What is no object is a row of one column.
  if (typeof value === 'string') return [[name || otherwise, value]];
  if (typeof value !== 'object') return [[name || otherwise, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([member, each]) =>
    cellsOf(each, name ? `${name}.${member}` : member, otherwise),
  );
}
