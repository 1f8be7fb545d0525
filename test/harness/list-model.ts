import fc from 'fast-check';
import { expect } from 'vitest';
import type { TestApp } from './app.js';

export interface ListCheck {
  /** The field with its arguments but the paging ones, left open: `vertices(network: fuji`. */
  field: string;
  /** The leaf that identifies a row, or a selection together with `keyOf`. */
  key: string;
  /** Identifies a row, if that takes more than a leaf. */
  keyOf?: (node: never) => string;
  /** Rows of the whole list in order, by what identifies them. */
  expected: readonly string[];
  pageSize: number;
  direction: 'forward' | 'backward';
  /** Wraps the list in its parents, and finds it in the data. */
  within?: { wrap: (list: string) => string; find: (data: Record<string, never>) => unknown };
  /** Runs between pages, for example to add rows. */
  between?: () => Promise<void>;
}

/** Any way to iterate a list, in pages of at most so many rows. */
export const paging = (most: number) => ({
  pageSize: fc.integer({ min: 1, max: most }),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
});

/**
 * For the list of an object.
 *
 * @param parent the object's field with its arguments: `subnet(network: fuji, subnetId: "…")`
 * @param more what else is selected of the object
 */
export function within(parent: string, more = ''): NonNullable<ListCheck['within']> {
  const [name = ''] = parent.split('(');
  return {
    wrap: (list) => `${parent} { ${more} ${list} }`,
    find: (data) => (data[name] as unknown as { list: unknown }).list,
  };
}

interface Connection {
  totalCount: number;
  totalCountIsExact: boolean;
  edges: { cursor: string; node: Record<string, string> }[];
  pageInfo: Record<'startCursor' | 'endCursor', string | null> &
    Record<'hasNextPage' | 'hasPreviousPage', boolean>;
}

/**
 * Iterates a list from one end to the other and compares it with a model. Rows that are added meanwhile may
 * or may not be seen; every row that existed at the start is seen exactly once, in order.
 */
export async function expectList(gateway: TestApp, check: ListCheck): Promise<void> {
  const { field, key, expected, pageSize, direction, between } = check;
  const keyOf = (check.keyOf ?? ((node: Record<string, string>) => node[key])) as (
    node: Record<string, string>,
  ) => string;
  const { wrap, find } = check.within ?? { wrap: String, find: (data) => data['list'] };
  const forward = direction === 'forward';
  const seen: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const paging: string = forward
      ? `first: ${pageSize}, after: ${JSON.stringify(cursor)}`
      : `last: ${pageSize}, before: ${JSON.stringify(cursor)}`;
    const separator = field.endsWith('(') ? '' : ', ';
    const list = `list: ${field}${separator}${paging}) { totalCount totalCountIsExact edges { cursor node { ${key} } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
    const { data, errors } = await gateway.graphql<Record<string, never>>(`{ ${wrap(list)} }`);
    expect(errors).toBeUndefined();
    const { edges, pageInfo, totalCount, totalCountIsExact } = find(data) as Connection;
    if (!between)
      expect({ totalCount, totalCountIsExact }).toEqual({
        totalCount: expected.length,
        totalCountIsExact: true,
      });
    expect(pageInfo.startCursor).toBe(edges[0]?.cursor ?? null);
    expect(pageInfo.endCursor).toBe(edges.at(-1)?.cursor ?? null);
    expect(forward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(cursor !== null);
    const keys = edges.map(({ node }) => keyOf(node));
    if (forward) seen.push(...keys);
    else seen.unshift(...keys);
    if (!(forward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) break;
    expect(edges).toHaveLength(pageSize);
    cursor = forward ? pageInfo.endCursor : pageInfo.startCursor;
    await between?.();
  }
  const known = new Set(expected);
  expect(seen.filter((each) => known.has(each))).toEqual(expected);
  expect(new Set(seen).size).toBe(seen.length);
  if (!between) expect(seen).toEqual(expected);
}

/** How often rows are added during one iteration: with more, an iteration towards them would never end. */
const MOST_ADDITIONS = 8;

/** Compares a list with a model, and once more while `add` adds rows between its pages. */
export async function expectGrowingList(
  gateway: TestApp,
  check: ListCheck,
  add: () => Promise<unknown>,
): Promise<void> {
  await expectList(gateway, check);
  let additions = 0;
  const between = async () => {
    additions += 1;
    if (additions <= MOST_ADDITIONS) await add();
  };
  await expectList(gateway, { ...check, between });
}
