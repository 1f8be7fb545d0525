import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Find } from '../lists/find.js';
import type { Context } from './context.js';

/**
 * A loader of nodes by a key of their rows, made for each request; null for a row that is not stored.
 *
 * @param keyOf makes a text that is different for each key
 */
export function rowLoader<Key, Row, Node>(
  find: Find<Key, Row>,
  toNode: (row: Row) => Node,
  keyOf: (key: Key) => string,
): (context: Context) => DataLoader<Key, Node | null, string> {
  return createContextCache(
    ({ storage }: Context) =>
      new DataLoader<Key, Node | null, string>(
        async (keys) => (await find(storage, keys)).map((row) => row && toNode(row)),
        { cacheKeyFn: keyOf },
      ),
  );
}
