import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../access/access-control.js';
import { ConcurrencyLimit } from '../concurrency-limit.js';
import { busy } from './operation-limit.js';

/** How many times as long as reading a document took the event loop is left to other requests. */
const PAUSE = 3;
/** How often it is looked whether there are any, and how long they count after that, milliseconds. */
const LOOK_MS = 1;
const RECENT_MS = 1000;

/** The requests that a process answers: all, and those of a caller. */
export interface InFlight {
  all: () => number;
  of: (caller: string) => number;
}

/**
 * Turns in which new documents are read. To parse, check and plan one takes up to 10 ms of the event loop, and a plan allows
 * hundreds in its first second: while one caller sent them as fast as they were answered, others waited a quarter of a
 * second for each answer. So one is read at a time, callers take turns, and after each the event loop is left to other
 * callers for three times as long, if they had a request in flight within the last second. Requests that wait for such
 * a turn themselves are left out, so that a gateway that has nothing else to do reads without a pause.
 */
export class NewDocuments {
  private readonly reading = new ConcurrencyLimit({ running: 1 });
  /** Requests whose document waits for its turn, by caller. */
  private readonly waiting = new Map<string, number>();
  private othersAt = -Infinity;

  constructor(private readonly inFlight: InFlight) {}

  /**
   * Resolves when a document may be read: what runs then, up to its first wait for anything outside of the process, is
   * its turn.
   *
   * @throws AppError SERVICE_UNAVAILABLE when its turn does not come in time
   */
  turn({ charge, time }: Pick<Access, 'charge' | 'time'>): Promise<void> {
    const { identity: caller } = charge;
    const terms = { caller, deadline: Date.now() + time.left, refusal: busy };
    this.count(caller, 1);
    return new Promise((begin, refuse) => {
      const read = async () => {
        this.count(caller, -1);
        const began = performance.now();
        begin();
        await setImmediate();
        await this.leaveToOthers(caller, PAUSE * (performance.now() - began));
      };
      this.reading.run(terms, read).catch((error: unknown) => {
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
      if (this.othersThan(caller) > 0) this.othersAt = now;
      if (now >= end || now - this.othersAt > RECENT_MS) return;
      await sleep(LOOK_MS);
    }
  }

  /** Requests of other callers that do not wait for a turn. */
  private othersThan(caller: string): number {
    let others = this.inFlight.all() - this.inFlight.of(caller);
    for (const [each, waiting] of this.waiting) if (each !== caller) others -= waiting;
    return others;
  }
}
