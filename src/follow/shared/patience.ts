/** Milliseconds for which a reader may wait for others for each in which it read: they save its requests. */
const WAIT_FOR_READ = 3;

/**
 * How long a reader may wait for others now: no longer than three times as long as it has read since, so that
 * it is at least a fourth as fast as alone.
 */
export class Patience {
  private allowanceMs: number;
  private since = performance.now();

  /** @param mostMs most milliseconds for which it waits at once, and its allowance at the start */
  constructor(private readonly mostMs: number) {
    this.allowanceMs = mostMs;
  }

  get leftMs(): number {
    const now = performance.now();
    this.allowanceMs = Math.min(this.mostMs, this.allowanceMs + WAIT_FOR_READ * (now - this.since));
    this.since = now;
    return this.allowanceMs;
  }

  hasWaited(milliseconds: number): void {
    this.allowanceMs -= milliseconds;
    this.since = performance.now();
  }
}
