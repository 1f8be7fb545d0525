const MOST_QUERIES = 1000;
const MOST_VERSIONS = 16;

/**
 * Which versions of its data a query was lately answered with, newest first, so that a walk over its pages can
 * be finished with the set that it began with.
 */
export class Walks {
  private readonly byQuery = new Map<string, string[][]>();

  /** @param query identity of the query, without versions */
  of(query: string): readonly string[][] {
    return this.byQuery.get(query) ?? [];
  }

  remember(query: string, versions: string[]): void {
    const known = this.byQuery.get(query) ?? [];
    const others = known.filter((each) => each.join() !== versions.join());
    this.byQuery.delete(query);
    this.byQuery.set(query, [versions, ...others].slice(0, MOST_VERSIONS));
    const [oldest] = this.byQuery.keys();
    if (this.byQuery.size > MOST_QUERIES && oldest !== undefined) this.byQuery.delete(oldest);
  }
}
