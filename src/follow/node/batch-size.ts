/** Calls in the first batch. */
const FIRST = 20;
/** The server of a node takes 1,000, public ones fewer: 40. */
const MOST = 100;

/** How many calls a batch has: one more after a good one of that size, half as many after one that failed. */
export class BatchSize {
  private size = FIRST;

  get now(): number {
    return this.size;
  }

  good(count: number): void {
    if (count >= this.size) this.size = Math.min(MOST, this.size + 1);
  }

  failed(count: number): void {
    this.size = Math.max(1, Math.min(this.size, Math.floor(count / 2)));
  }
}
