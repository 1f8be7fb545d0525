import { topic } from '../../cluster/line.js';
import type { Siblings } from '../../cluster/siblings.js';
import { IdSet } from './id-set.js';
import type { SetCache } from './set-cache.js';
import type { Walks } from './walks.js';

/** The versions of its data that a query was lately answered with. */
const knownWalks = topic<string, readonly string[][]>('walks of a composite query');
/** Sets by their keys, as texts; null unless all of them are at hand. */
const knownSets = topic<readonly string[], string[] | null>('sets of a composite query');

/**
 * Lends what this process remembers of composite queries to the other ones of the gateway, and borrows of them: so a walk
 * that one has begun is finished by another, whatever an import has changed meanwhile.
 */
export class Lending {
  /** @param siblings the other processes; absent: there are none */
  constructor(
    private readonly walks: Walks,
    private readonly cache: SetCache,
    private readonly siblings: Siblings | undefined,
  ) {
    siblings?.answer(knownWalks, (query) => walks.of(query));
    siblings?.answer(knownSets, (keys) => {
      const sets = keys.map((key) => cache.get(key));
      return sets.every((set) => set !== undefined) ? sets.map((set) => set.toText()) : null;
    });
  }

  /**
   * Has this process remember a walk and its sets as another one does.
   *
   * @param query identity of the query, without versions
   * @param belongs whether the walk is of these versions
   * @param keysOf the keys of the sets of these versions
   * @returns the versions; null when no other process remembers the walk
   */
  async borrow(
    query: string,
    belongs: (versions: readonly string[]) => boolean,
    keysOf: (versions: readonly string[]) => string[],
  ): Promise<string[] | null> {
    const { siblings } = this;
    const versions = (await siblings?.ask(knownWalks, query))?.flat().find(belongs);
    if (!siblings || !versions) return null;
    const keys = keysOf(versions);
    const sets = (await siblings.ask(knownSets, keys)).find((texts) => texts !== null);
    if (!sets) return null;
    for (const [index, key] of keys.entries()) this.cache.set(key, IdSet.fromText(sets[index] ?? ''));
    this.walks.remember(query, versions);
    return versions;
  }
}
