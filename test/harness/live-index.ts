import { callsOf, linesOf } from '../avalanche/codec/recorded.js';

/** An entry of a node's index. */
export interface Container {
  readonly id: string;
  readonly bytes: string;
  readonly index: string;
  readonly timestamp: string;
}

interface LiveEntry {
  readonly q: string;
  readonly index: string;
  readonly id: string;
  readonly timestamp: string;
}

/**
 * The indexes of the X-chain's DAG as the first node of network-c has them, by path: it accepted the
 * transactions in another order than the recorded one, which bootstrapped later.
 */
export function liveIndexes(): ReadonlyMap<string, readonly Container[]> {
  const recorded = new Map<string, Container>();
  const ends = new Map<string, Container>();
  for (const { method, path, result } of callsOf('network-c', 'index')) {
    if (method !== 'index.getContainerRange' || !/^\/ext\/index\/X\/(tx|vtx)$/.test(path)) continue;
    for (const each of result['containers'] as readonly Container[]) {
      recorded.set(`${path} ${each.id}`, each);
      ends.set(path, each);
    }
  }
  const live = linesOf('network-c', 'index-live-times.jsonl.gz') as readonly LiveEntry[];
  return new Map(
    [...ends].map(([path, end]) => {
      const own = live
        .filter(({ q }) => path === `/ext/index/${q}`)
        .map(({ id, index, timestamp }) => ({ ...recorded.get(`${path} ${id}`)!, index, timestamp }));
      // The stop vertex is the last one on every node.
      return [path, own.some(({ id }) => id === end.id) ? own : [...own, end]];
    }),
  );
}
