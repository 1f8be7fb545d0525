/**
 * Bytes of unfinished answers that all connections of a process hold together: more than the largest answer
 * has.
 */
const MOST_BYTES = 96 * 1024 ** 2;

/**
 * What the connections of a process hold together. The answer that came first has room in any case, so that
 * one ends.
 */
export class BodyBudget {
  private held = 0;
  /** In the order in which they came. */
  private readonly holders = new Map<object, number>();

  constructor(private readonly mostBytes = MOST_BYTES) {}

  /** Notes more bytes of an answer. @returns whether there was room for them */
  take(holder: object, bytes: number): boolean {
    this.holders.set(holder, (this.holders.get(holder) ?? 0) + bytes);
    this.held += bytes;
    return this.held <= this.mostBytes || this.holders.keys().next().value === holder;
  }

  /** The answer has ended. */
  free(holder: object): void {
    this.held -= this.holders.get(holder) ?? 0;
    this.holders.delete(holder);
  }
}
