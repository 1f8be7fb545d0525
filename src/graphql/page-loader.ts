import DataLoader from 'dataloader';
import type { Counted } from '../lists/read.js';
import type { NestedPage } from '../paging/nested-page.js';
import type { PageRequest } from '../paging/page-request.js';
import type { Context } from './context.js';
import { countLists, type TotalCount } from './counting.js';

/**
 * Reads the pages of one nested list of many parents together, so that a page of parents costs one statement
 * for each selection of the list, however many parents it has.
 *
 * @param kindOf tells pages apart whose statement's text, or a value that a batch shares, differs in more
 *   than the request
 * @param read reads pages of one kind whose direction, limit and presence of cursors are equal; answers in
 *   their order
 */
export function pageLoader<Page extends NestedPage, Row>(
  kindOf: (page: Page) => string,
  read: (pages: readonly [Page, ...Page[]]) => Promise<Row[][]>,
): DataLoader<Page, Row[]> {
  return new DataLoader<Page, Row[]>(
    (pages) => inGroups(pages, (page) => `${shapeOf(page.request)} ${kindOf(page)}`, read),
    { cache: false },
  );
}

function shapeOf({ direction, limit, after, before }: PageRequest): string {
  return `${direction} ${limit} ${after !== null} ${before !== null}`;
}

/**
 * Counts the nested lists of many parents together.
 *
 * @param context of the operation whose lists they are
 * @param keyOf tells lists apart
 * @param kindOf what lists that are counted together have in common
 * @param count counts several lists of one kind, each up to `most`, in their order
 */
export function countLoader<List>(
  context: Context,
  keyOf: (list: List) => string,
  kindOf: (list: List) => string,
  count: (lists: readonly [List, ...List[]], most: number) => Promise<readonly Counted[]>,
): (list: List) => Promise<TotalCount> {
  const loader = new DataLoader<List, TotalCount, string>(
    (lists) =>
      inGroups(lists, kindOf, (group) => countLists(context, group.length, (most) => count(group, most))),
    { cacheKeyFn: keyOf },
  );
  return (list) => loader.load(list);
}

/** Handles items group by group; results are in the order of the items. */
async function inGroups<Item, Result>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
  handle: (group: readonly [Item, ...Item[]]) => Promise<Result[]>,
): Promise<Result[]> {
  const groups = new Map<string, number[]>();
  items.forEach((item, index) => {
    const name = groupOf(item);
    const group = groups.get(name);
    if (group) group.push(index);
    else groups.set(name, [index]);
  });
  const results: Result[] = [];
  await Promise.all(
    [...groups.values()].map(async (indexes) => {
      const group = indexes.map((index) => items[index]) as [Item, ...Item[]];
      const answers = await handle(group);
      indexes.forEach((index, position) => (results[index] = answers[position] as Result));
    }),
  );
  return results;
}
