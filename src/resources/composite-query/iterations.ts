import { createHash } from 'node:crypto';

const MOST_QUERIES = 1000;
const MOST_VERSIONS = 16;

/**
 * The recent versions of the data of a query, newest first, so that an iteration over its pages keeps one set
 * to its end.
 */
export class Iterations {
  /** By the query's hash, because clients choose how long a body is. */
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
