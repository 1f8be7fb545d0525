/** Milliseconds for which others may hold a reader up for each in which they do not: that saves requests. */
const HELD_UP_FOR_FREE = 9;

/**
 * How long others may hold a reader up now: nine times as long as they did not, so that it is at least a
 * tenth as fast as alone. They hold it up while it waits for them and has nothing left to write. While it
 * writes what it has read ahead, it waits for free.
 */
export class Patience {
  private allowanceMs: number;
  private since = performance.now();
  private waits = 0;
  private isIdle = true;

  /** @param mostMs most milliseconds for which they do so at once, and its allowance at the start */
  constructor(private readonly mostMs: number) {
    this.allowanceMs = mostMs;
  }

  get leftMs(): number {
    this.count();
    return this.allowanceMs;
  }

  /** @param isIdle whether it has nothing left to write; true as long as nobody says otherwise */
  setIdle(isIdle: boolean): void {
    this.count();
    this.isIdle = isIdle;
  }

  /** It waits for others as long as this takes. */
  async during(wait: Promise<void>): Promise<void> {
    this.count();
    this.waits += 1;
    try {
      await wait;
    } finally {
      this.count();
      this.waits -= 1;
    }
  }

  private count(): void {
    const now = performance.now();
    const passed = now - this.since;
    const isHeldUp = this.isIdle && this.waits > 0;
    this.allowanceMs += isHeldUp ? -passed : HELD_UP_FOR_FREE * passed;
    this.allowanceMs = Math.min(this.mostMs, this.allowanceMs);
    this.since = now;
  }
}
