import { BoundedMap } from './bounded-map.js';
import type { FieldLimit } from './field-limits.js';

/** The calls of one field by the callers of one plan. Times: milliseconds since 1970. */
export interface CallLog {
  /**
   * Records so many calls at `now` if there is room for all of them, and returns the times of the earlier
   * ones in the window, in one atomic step. With 0 calls it only looks.
   */
  append(caller: string, calls: number, now: number): readonly number[] | Promise<readonly number[]>;
  /** Forgets that many of the latest calls. */
  takeBack(caller: string, calls: number): void | Promise<void>;
}

/**
 * Bytes for the calls of one field on one plan: room for a few calls of each client that MemoryStore
 * remembers. A call takes 8 bytes until its window is over, or at most twice as long; a client takes some
 * 200.
 */
const CAPACITY = 46 * 2 ** 20;
const bytesOf = (calls: readonly number[]) => 200 + 8 * calls.length;

/** Calls remembered in this process. */
export class MemoryCallLog implements CallLog {
  private readonly callers = new BoundedMap<readonly number[]>(CAPACITY, bytesOf);
  private agedAt = 0;

  constructor(private readonly limit: FieldLimit) {}

  append(caller: string, calls: number, now: number): readonly number[] {
    const windowMs = this.limit.seconds * 1000;
    if (now - this.agedAt >= windowMs) {
      this.callers.age();
      this.agedAt = now;
    }
    // A clock that was set back must not stretch the window.
    const known = this.callers.get(caller);
    const earlier = (known ?? []).map((time) => Math.min(time, now)).filter((time) => time + windowMs > now);
    const fits = calls > 0 && earlier.length + calls <= this.limit.calls;
    if (fits) this.callers.set(caller, [...earlier, ...Array.from({ length: calls }, () => now)]);
    else if (known) this.callers.set(caller, earlier);
    return earlier;
  }

  takeBack(caller: string, calls: number): void {
    const times = this.callers.get(caller);
    if (times) this.callers.set(caller, times.slice(0, -calls));
  }
}
