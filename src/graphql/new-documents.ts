import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../access/access-control.js';
import { ConcurrencyLimit } from '../concurrency-limit.js';
import { busy } from './operation-limit.js';

/** How many times as long as reading a document took the event loop is left to other requests. */
const PAUSE = 3;
/** How often to look for running requests of others, and how long they count after that, milliseconds. */
const LOOK_MS = 1;
const RECENT_MS = 1000;

/** The requests of a process. */
export interface Requests {
  /** Whether most of the room for requests in flight is taken. */
  isCrowded: () => boolean;
  /** Those that are worked on, by caller. */
  running: () => Iterable<{ readonly identity: string; readonly running: number }>;
}

/**
 * Turns in which new documents are read. To parse, check and plan one takes up to 10 ms of the event loop,
 * and a plan allows hundreds in its first second: while one caller sent them as fast as they were answered,
 * others waited a quarter of a second for each answer. So one is read at a time, callers take turns, and
 * after each the event loop is left to other callers for three times as long, if they had a request running
 * within the last second. Requests that wait for such a turn, or to start at all, are left out, so that a
 * gateway that has nothing else to do reads without a pause. So does a gateway whose room is mostly taken:
 * with pauses, callers of new documents would hold it, four requests for each that could be answered in the
 * same time.
 */
export class NewDocuments {
  private readonly reading = new ConcurrencyLimit({ running: 1 });
  /** Requests whose document waits for its turn, by caller. */
  private readonly waiting = new Map<string, number>();
  private othersAt = -Infinity;

  constructor(private readonly requests: Requests) {}

  /**
   * Resolves when a document may be read: what runs then, up to its first wait for anything outside of the
   * process, is its turn.
   *
   * @throws AppError SERVICE_UNAVAILABLE when its turn does not come in time; why it is no longer wanted
   */
  turn({ charge, time, abandon }: Pick<Access, 'charge' | 'time' | 'abandon'>): Promise<void> {
    const { identity: caller } = charge;
    const options = { caller, deadline: Date.now() + time.left, refusal: busy };
    this.count(caller, 1);
    return new Promise((begin, refuse) => {
      const read = async () => {
        this.count(caller, -1);
        const why = abandon.why();
        if (why) return refuse(why);
        const began = performance.now();
        begin();
        await setImmediate();
        await this.leaveToOthers(caller, PAUSE * (performance.now() - began));
      };
      this.reading.run(options, read).catch((error: unknown) => {
        this.count(caller, -1);
        refuse(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  private count(caller: string, more: number): void {
    const waiting = (this.waiting.get(caller) ?? 0) + more;
    if (waiting > 0) this.waiting.set(caller, waiting);
    else this.waiting.delete(caller);
  }

  private async leaveToOthers(caller: string, milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    for (;;) {
      const now = performance.now();
      if (this.othersRun(caller)) this.othersAt = now;
      if (now >= end || now - this.othersAt > RECENT_MS || this.requests.isCrowded()) return;
      await sleep(LOOK_MS);
    }
  }

  /** Whether a request of another caller is worked on and does not wait for a turn. */
  private othersRun(caller: string): boolean {
    for (const { identity, running } of this.requests.running())
      if (identity !== caller && running > (this.waiting.get(identity) ?? 0)) return true;
    return false;
  }
}
