import { refusalOf, jsonOf, request } from './send.js';

/** Rows of a page of the REST API, and most of one file: each page is one request of the reader's plan. */
const PAGE = 100;
export const MOST_ROWS = 2000;

/**
 * The rows of a list of the REST API as CSV, from its first pages.
 *
 * @param path with its query, which may be empty: see restList
 * @throws Refusal
 */
export async function rowsAsCsv(path: string): Promise<{ text: string; isWhole: boolean }> {
  let next: string | undefined = `${path}&pageSize=${PAGE}`;
  let text = '';
  for (let rows = 0; next && rows < MOST_ROWS; rows += PAGE) {
    const [reply, page]: [Response, string] = await request(next, { headers: { accept: 'text/csv' } });
    if (!reply.ok || !reply.headers.get('content-type')?.startsWith('text/csv'))
      throw refusalOf(reply, page, jsonOf(reply, page));
    // Every page begins with the names of the columns.
    text += text ? page.slice(page.indexOf('\r\n') + 2) : page;
    next = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
  }
  return { text, isWhole: !next };
}
