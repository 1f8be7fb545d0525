import type { TestApp } from './app.js';

/** Any row of a list. */
type Row = Record<string, unknown>;

/** Every row of a REST list, page after page. @param from a page token, to begin behind its page */
export async function walkRest(
  gateway: Pick<TestApp, 'get'>,
  path: string,
  field: string,
  pageSize: number,
  from = '',
): Promise<Row[]> {
  const rows: Row[] = [];
  let token = from;
  do {
    const separator = path.includes('?') ? '&' : '?';
    const { status, body, text } = await gateway.get(
      `${path}${separator}pageSize=${pageSize}&pageToken=${token}`,
    );
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    const page = body as Record<string, unknown>;
    rows.push(...(page[field] as Row[]));
    token = (page['nextPageToken'] as string | undefined) ?? '';
    if ((page[field] as Row[]).length !== pageSize && token)
      throw new Error(`${path}: a page in the middle is not full`);
  } while (token);
  return rows;
}

interface Connection {
  nodes: Row[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

/**
 * Every row of a GraphQL connection in list order, read forward or backward.
 *
 * @param field the field with its arguments but the paging ones, for example `utxos(network: fuji, …`, left
 *   open
 * @param selection of each node
 * @param cursors written into the text, so that each page has its own document, which is new to the gateway;
 *   with variables all pages have one document, which takes a fourth of the time
 */
export async function walkGraphQL(
  gateway: TestApp,
  field: string,
  selection: string,
  pageSize: number,
  direction: 'forward' | 'backward',
  cursors: 'written' | 'in variables' = 'written',
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (;;) {
    const at: string = cursors === 'written' ? JSON.stringify(cursor) : '$cursor';
    const paging: string =
      direction === 'forward' ? `first: ${pageSize}, after: ${at}` : `last: ${pageSize}, before: ${at}`;
    const given: object = cursors === 'written' ? {} : { cursor };
    const declared = cursors === 'written' ? '' : 'query ($cursor: String) ';
    const query = `${declared}{ list: ${field}, ${paging}) { nodes { ${selection} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    const { data, errors } = await gateway.graphql<{ list: Connection }>(query, given);
    if (errors) throw new Error(JSON.stringify(errors));
    const { nodes, pageInfo } = data.list;
    if (direction === 'forward') rows.push(...nodes);
    else rows.unshift(...nodes);
    const more: boolean = direction === 'forward' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
    if (!more) return rows;
    cursor = direction === 'forward' ? pageInfo.endCursor : pageInfo.startCursor;
  }
}
