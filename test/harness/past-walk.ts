import { expect } from 'vitest';
import type { TestApp } from './app.js';
import type { PastQuery } from './past-model.js';

interface Page {
  edges: { cursor: string; node: { utxoId: string } }[];
  pageInfo: Record<'startCursor' | 'endCursor', string | null> &
    Record<'hasNextPage' | 'hasPreviousPage', boolean>;
}

/**
 * All rows of a list, page after page, each page at most as long as requested, and how many pages there were.
 */
export async function walkPast(
  gateway: TestApp,
  { direction, pageSize }: Pick<PastQuery, 'direction' | 'pageSize'>,
  wrap: (paging: string) => string,
  between?: () => Promise<void>,
): Promise<{ seen: string[]; sizes: number[] }> {
  const forward = direction === 'forward';
  const seen: string[] = [];
  const sizes: number[] = [];
  let cursor: string | null = null;
  for (;;) {
    const paging = forward
      ? `first: ${pageSize}, after: ${JSON.stringify(cursor)}`
      : `last: ${pageSize}, before: ${JSON.stringify(cursor)}`;
    const selection = `{ edges { cursor node { utxoId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
    const { data, errors } = await gateway.graphql<{ list?: Page; of?: { list: Page } }>(
      `{ ${wrap(`${paging}) ${selection}`)} }`,
    );
    expect(errors).toBeUndefined();
    const { edges, pageInfo } = (data.list ?? data.of?.list) as Page;
    expect(edges.length).toBeLessThanOrEqual(pageSize);
    const ids = edges.map(({ node }) => node.utxoId);
    if (forward) seen.push(...ids);
    else seen.unshift(...ids);
    sizes.push(ids.length);
    if (!(forward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) break;
    const next = forward ? pageInfo.endCursor : pageInfo.startCursor;
    expect(next).not.toBeNull();
    expect(next).not.toBe(cursor);
    if (edges.length === pageSize) expect(next).toBe((forward ? edges.at(-1) : edges[0])?.cursor);
    cursor = next;
    await between?.();
  }
  return { seen, sizes };
}
