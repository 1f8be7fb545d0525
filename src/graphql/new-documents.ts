import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../access/access-control.js';
import { ConcurrencyLimit } from '../concurrency-limit.js';
import { busy } from './operation-limit.js';

/** How many times as long as reading a document took the event loop is left to other requests. */
const PAUSE = 3;
/** How long documents are read one after the other while nobody else needs the event loop, milliseconds. */
const STRETCH_MS = 4;
/** How often to look for running requests of others, and how long they count after that, milliseconds. */
const LOOK_MS = 1;
const RECENT_MS = 1000;

/** A request whose document may be new. */
type Reading = Pick<Access, 'charge' | 'time' | 'abandon'>;

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
 * within the last second. Requests of new documents, and those that wait to start, are left out, so that a
 * gateway that has nothing else to do reads without a pause: between callers who sent only new documents,
 * pauses left a fifth of the throughput, and one turn of the event loop for each document four fifths, as
 * what is sent to PostgreSQL then goes out one by one. So does a gateway whose room is mostly taken: with
 * pauses, such callers would hold it, four requests for each that could be answered in the same time.
 */
export class NewDocuments {
  private readonly turns = new ConcurrencyLimit({ running: 1 });
  /** Requests of new documents whose reply is not made yet, by caller. */
  private readonly ofNew = new Map<string, number>();
  private readonly counted = new WeakSet<Reading>();
  private othersAt = -Infinity;
  /** When the event loop was last left to whatever is due. */
  private leftAt = -Infinity;

  constructor(private readonly requests: Requests) {}

  /**
   * Resolves when a document may be read: what runs then, up to its first wait for anything outside of the
   * process, is its turn. To be followed by `ended` when the reply is made.
   *
   * @throws AppError SERVICE_UNAVAILABLE when its turn does not come in time; why it is no longer wanted
   */
  turn(request: Reading): Promise<void> {
    const { identity: caller } = request.charge;
    const options = { caller, deadline: Date.now() + request.time.left, refusal: busy };
    this.begun(request);
    return new Promise((begin, refuse) => {
      const read = async () => {
        const why = request.abandon.why();
        if (why) return refuse(why);
        const began = performance.now();
        begin();
        // Comes when what `begin` continues waits for something outside of the process.
        await new Promise<void>((waits) => process.nextTick(waits));
        await this.leaveToOthers(caller, began);
      };
      this.turns.run(options, read).catch(refuse);
    });
  }

  /** A request whose document may be new has begun. */
  begun(request: Reading): void {
    if (this.counted.has(request)) return;
    this.counted.add(request);
    this.count(request.charge.identity, 1);
  }

  /** The document of a request is known, or its reply is made. */
  ended(request: Reading): void {
    if (this.counted.delete(request)) this.count(request.charge.identity, -1);
  }

  private count(caller: string, more: number): void {
    const requests = (this.ofNew.get(caller) ?? 0) + more;
    if (requests > 0) this.ofNew.set(caller, requests);
    else this.ofNew.delete(caller);
  }

  /** @param began when reading began, of this process's clock */
  private async leaveToOthers(caller: string, began: number): Promise<void> {
    const read = performance.now();
    if (!this.isWanted(caller, read) && read - this.leftAt <= STRETCH_MS) return;
    await setImmediate();
    this.leftAt = performance.now();
    const end = read + PAUSE * (read - began);
    for (let now = this.leftAt; now < end && this.isWanted(caller, now); now = performance.now())
      await sleep(LOOK_MS);
  }

  /** Whether others need the event loop, who had a request running within the last second. */
  private isWanted(caller: string, now: number): boolean {
    if (this.othersRun(caller)) this.othersAt = now;
    return now - this.othersAt <= RECENT_MS && !this.requests.isCrowded();
  }

  /** Whether a request of another caller is worked on whose document is known. */
  private othersRun(caller: string): boolean {
    for (const { identity, running } of this.requests.running())
      if (identity !== caller && running > (this.ofNew.get(identity) ?? 0)) return true;
    return false;
  }
}
