import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../access/access-control.js';
import { ConcurrencyLimit } from '../concurrency-limit.js';
import { busy } from './operation-limit.js';

/** How many times as long as reading a document took the event loop is left to other requests. */
const PAUSE = 3;
/** How often it is looked whether there still are any, milliseconds. */
const LOOK_MS = 1;

/**
 * Turns in which new documents are read. To parse, check and plan one takes up to 10 ms of the event loop, and a plan allows
 * hundreds in its first second: while one caller sent them as fast as they were answered, others waited a quarter of a
 * second for each answer. So one is read at a time, callers take turns, and after each the event loop belongs to the
 * other requests in flight, as long as there are any, for three times as long. A gateway that has nothing else to do
 * reads them without a pause.
 */
export class NewDocuments {
  private readonly reading = new ConcurrencyLimit({ running: 1 });
  /** Requests whose document waits for its turn. */
  private waiting = 0;

  /** @param inFlight the requests that the process answers */
  constructor(private readonly inFlight: () => number) {}

  /**
   * Resolves when a document may be read: what runs then, up to its first wait for anything outside of the process, is
   * its turn.
   *
   * @throws AppError SERVICE_UNAVAILABLE when its turn does not come in time
   */
  turn({ charge, time }: Pick<Access, 'charge' | 'time'>): Promise<void> {
    const terms = { caller: charge.identity, deadline: Date.now() + time.left, refusal: busy };
    this.waiting += 1;
    return new Promise((begin, refuse) => {
      const read = async () => {
        this.waiting -= 1;
        const began = performance.now();
        begin();
        await setImmediate();
        await this.leaveToOthers(PAUSE * (performance.now() - began));
      };
      this.reading.run(terms, read).catch((error: unknown) => {
        this.waiting -= 1;
        refuse(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  private async leaveToOthers(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while (this.inFlight() > this.waiting && performance.now() < end) await sleep(LOOK_MS);
  }
}
