import { createHash } from 'node:crypto';

const MOST_QUERIES = 1000;
const MOST_VERSIONS = 16;

/**
 * Which versions of its data a query was lately answered with, newest first, so that a walk over its pages can
 * be finished with the set that it began with.
 */
export class Walks {
  /** By the query's hash: as long as a body is what clients write. */
  private readonly byQuery = new Map<string, string[][]>();

  /** @param query identity of the query, without versions */
  of(query: string): readonly string[][] {
    return this.byQuery.get(hashOf(query)) ?? [];
  }

  remember(query: string, versions: string[]): void {
    const key = hashOf(query);
    const known = this.byQuery.get(key) ?? [];
    const others = known.filter((each) => each.join() !== versions.join());
    this.byQuery.delete(key);
    this.byQuery.set(key, [versions, ...others].slice(0, MOST_VERSIONS));
    const [oldest] = this.byQuery.keys();
    if (this.byQuery.size > MOST_QUERIES && oldest !== undefined) this.byQuery.delete(oldest);
  }
}

const hashOf = (query: string) => createHash('sha256').update(query).digest('base64');
