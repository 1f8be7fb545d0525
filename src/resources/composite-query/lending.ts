import { topic } from '../../cluster/line.js';
import type { Siblings } from '../../cluster/siblings.js';
import { IdSet } from './id-set.js';
import type { SetCache } from './set-cache.js';
import type { Iterations } from './iterations.js';

/** The recent versions of the data of a query. */
const knownIterations = topic<string, readonly string[][]>('iterations of a composite query');
/** Sets by their keys, as texts; null unless all of them are cached. */
const knownSets = topic<readonly string[], string[] | null>('sets of a composite query');

/**
 * Shares what this process remembers of composite queries with the other processes of the gateway, and gets
 * it from them: so an iteration that one process began can continue in another, whatever an import has
 * changed meanwhile.
 */
export class Lending {
  /** @param siblings the other processes; absent if there are none */
  constructor(
    private readonly iterations: Iterations,
    private readonly cache: SetCache,
    private readonly siblings: Siblings | undefined,
  ) {
    siblings?.answer(knownIterations, (query) => iterations.of(query));
    siblings?.answer(knownSets, (keys) => {
      const sets = keys.map((key) => cache.get(key));
      return sets.every((set) => set !== undefined) ? sets.map((set) => set.toText()) : null;
    });
  }

  /**
   * Copies an iteration and its sets from another process into this one's memory.
   *
   * @param query identity of the query, without versions
   * @param belongs whether the iteration is of these versions
   * @param keysOf the keys of the sets of these versions
   * @returns the versions; null when no other process remembers the iteration
   */
  async borrow(
    query: string,
    belongs: (versions: readonly string[]) => boolean,
    keysOf: (versions: readonly string[]) => string[],
  ): Promise<string[] | null> {
    const { siblings } = this;
    const versions = (await siblings?.ask(knownIterations, query))?.flat().find(belongs);
    if (!siblings || !versions) return null;
    const keys = keysOf(versions);
    const sets = (await siblings.ask(knownSets, keys)).find((texts) => texts !== null);
    if (!sets) return null;
    for (const [index, key] of keys.entries()) this.cache.set(key, IdSet.fromText(sets[index] ?? ''));
    this.iterations.remember(query, versions);
    return versions;
  }
}
