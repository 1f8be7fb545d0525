/*
 * A ConcurrencyLimit bounds work inside the process: operations (graphql/operation-limit.ts), counts,
 * composite queries, look-ups of keys, and, without a bound in all, a caller's share of connections
 * (storage/connection-limit.ts). Requests have http/request-limit.ts instead: how many one caller may have
 * running changes with the size of its replies, the next one starts after a pause, and a client that waits
 * may go away.
 */

/** How many pieces of work may run and wait, in all and for one caller. */
export interface ConcurrencyBounds {
  /** Most pieces of work that run at a time. */
  running: number;
  /** Most of them that one caller may have running; all when absent. */
  runningPerCaller?: number;
  /** Most pieces of work that wait; any number when absent. */
  waiting?: number;
  /** Most of them that one caller may have waiting; all when absent. */
  waitingPerCaller?: number;
}

/** Who runs work, and how long it may wait. */
export interface TurnOptions {
  /** Whose share of the limit it counts for. */
  caller: string;
  /** Milliseconds since 1970 until which it waits. */
  deadline: number;
  /** Makes the error for a full queue, for a deadline that is over and for who no longer waits. */
  refusal: () => Error;
  /** Aborted when its turn is no longer wanted. */
  signal?: AbortSignal;
}

/** Runs so many pieces of work at a time; others wait, and callers take turns. */
export class ConcurrencyLimit {
  private running = 0;
  private queued = 0;
  private readonly runningByCaller = new Map<string, number>();
  /** By caller, the one whose turn is next first. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly bounds: ConcurrencyBounds) {}

  /** Callers that have something running. Without a bound in all, every caller that waits is one of them. */
  get callers(): number {
    return this.runningByCaller.size;
  }

  /**
   * Runs `work` when the limit allows it.
   *
   * @throws what `refusal` makes, when the queue is full or the deadline is over
   */
  async run<T>(options: TurnOptions, work: () => Promise<T>): Promise<T> {
    const { caller } = options;
    if (this.hasRoomFor(caller)) this.take(caller);
    else await this.wait(options);
    try {
      return await work();
    } finally {
      this.leave(caller);
    }
  }

  private hasRoomFor(caller: string): boolean {
    const { running, runningPerCaller = running } = this.bounds;
    return this.running < running && (this.runningByCaller.get(caller) ?? 0) < runningPerCaller;
  }

  private take(caller: string): void {
    this.running += 1;
    this.runningByCaller.set(caller, (this.runningByCaller.get(caller) ?? 0) + 1);
  }

  private leave(caller: string): void {
    this.running -= 1;
    const left = (this.runningByCaller.get(caller) ?? 0) - 1;
    if (left > 0) this.runningByCaller.set(caller, left);
    else this.runningByCaller.delete(caller);
    this.admitNext();
  }

  private wait({ caller, deadline, refusal, signal }: TurnOptions): Promise<void> {
    const { waiting = Infinity, waitingPerCaller = waiting } = this.bounds;
    const own = this.waiting.get(caller) ?? [];
    if (this.queued >= waiting || own.length >= waitingPerCaller || signal?.aborted)
      return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.forget(caller, enter);
      };
      const leave = () => {
        end();
        reject(refusal());
      };
      const timer = setTimeout(leave, Math.max(0, deadline - Date.now()));
      signal?.addEventListener('abort', leave);
      const enter = () => {
        end();
        this.take(caller);
        resolve();
      };
      own.push(enter);
      this.waiting.set(caller, own);
      this.queued += 1;
    });
  }

  private admitNext(): void {
    for (const [caller, [next]] of this.waiting) {
      if (!next || !this.hasRoomFor(caller)) continue;
      next();
      return;
    }
  }

  /** Removes an entry from the queue, and puts its caller behind all others. */
  private forget(caller: string, enter: () => void): void {
    const rest = (this.waiting.get(caller) ?? []).filter((each) => each !== enter);
    this.waiting.delete(caller);
    if (rest.length > 0) this.waiting.set(caller, rest);
    this.queued -= 1;
  }
}

/** The part of a resource that one caller may use: others still have most of it then. */
const SHARE = 1 / 4;

/**
 * The share of one caller, or of one kind of work, in the `all` units of a process's resource; at least 1.
 */
export function shareOf(all: number, round = Math.floor): number {
  return Math.max(1, round(all * SHARE));
}
