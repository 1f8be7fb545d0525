import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Find } from '../lists/find.js';
import type { Context } from './context.js';

type Loader = DataLoader<unknown, unknown, string>;

/** One loader for each find, made for each request. */
const loadersOf = createContextCache(() => new Map<unknown, Loader>());

/**
 * The loader of a find for this request: what is loaded within one turn of the event loop is found together.
 */
export function rowLoader<Key, Node>(
  context: Context,
  find: Find<Key, Node>,
): DataLoader<Key, Node | null, string> {
  const loaders = loadersOf(context);
  const known = loaders.get(find) as DataLoader<Key, Node | null, string> | undefined;
  if (known) return known;
  const made = new DataLoader<Key, Node | null, string>(
    async (keys) => {
      const nodes = await find(context.storage, keys);
      if (find.otherKey) for (const node of nodes) if (node) made.prime(find.otherKey(node), node);
      return nodes;
    },
    { cacheKeyFn: textOfKey },
  );
  loaders.set(find, made);
  return made;
}

/** The node whose row has the key; null if it is not stored. */
export function loadRow<Key, Node>(context: Context, find: Find<Key, Node>, key: Key): Promise<Node | null> {
  return rowLoader(context, find).load(key);
}

/** A text that is different for each key. */
function textOfKey(key: unknown): string {
  if (typeof key !== 'object' || key === null) return String(key);
  const parts = Object.entries(key).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(parts.map(([name, part]) => [name, String(part)]));
}
