import type { NodeSource } from './list.js';
import type { List } from './read.js';

/**
 * A list that reads one of several lists, depending on its query. Their rows and cursors are of the same
 * kind.
 *
 * @param name of the list as a whole, for page tokens
 */
export function eitherList<Query extends object, Node>(
  name: string,
  { toNode }: Pick<NodeSource<Node>, 'toNode'>,
  choose: (query: Query) => List<Query, Node>,
): List<Query, Node> {
  return {
    name,
    bound: (query, request) => choose(query).bound(query, request),
    read: (storage, query, request) => choose(query).read(storage, query, request),
    // All queries of a batch are of one kind.
    readBatch: (storage, pages) => choose(pages[0].query).readBatch(storage, pages),
    count: (storage, query, most) => choose(query).count(storage, query, most),
    countBatch: (storage, queries, most) => choose(queries[0]).countBatch(storage, queries, most),
    isCounted: (query) => choose(query).isCounted(query),
    toNode: (row) => toNode(row as never),
    exists: (storage, query, position) => choose(query).exists(storage, query, position),
    carried: (storage, query, position) => choose(query).carried(storage, query, position),
    kindOf: (query) => `${choose(query).name} ${choose(query).kindOf(query)}`,
    parentOf: (query) => choose(query).parentOf(query),
  };
}
