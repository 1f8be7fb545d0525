import type { TestApp } from './app.js';

/** All rows of a list of REST, page after page. @param path with its parameters but for size and token */
export async function allPages<Row>(gateway: TestApp, path: string, list: string): Promise<Row[]> {
  const rows: Row[] = [];
  const separator = path.includes('?') ? '&' : '?';
  for (let token: string | undefined, first = true; first || token; first = false) {
    const at = `${path}${separator}pageSize=100${token ? `&pageToken=${token}` : ''}`;
    const { status, body, text } = await gateway.get(at);
    if (status !== 200) throw new Error(`${at}: ${text}`);
    rows.push(...(body[list] as Row[]));
    token = body.nextPageToken as string | undefined;
  }
  return rows;
}
