/*
 * Who waits for what: a Gate is for work inside of the process that is awaited: operations (graphql/turns.ts), counts,
 * composite queries, look-ups of keys, and without a bound in all for a caller's share of connections
 * (storage/share.ts). Requests take turns by http/request-turns.ts instead, since what one caller may have under way
 * changes with the size of its replies, a place is given back after a pause, and a client that waits may go away.
 */

/** How much of a gate there is, in all and for one caller. */
export interface GateBounds {
  /** Pieces of work that run at a time. */
  places: number;
  /** How many of them one caller may hold; all when absent. */
  placesOfOne?: number;
  /** Pieces of work that wait at most; any number when absent. */
  queue?: number;
  /** How many of them one caller may have waiting; all when absent. */
  queueOfOne?: number;
}

/** Who asks to be let through, and on which terms. */
export interface Visitor {
  /** Whose share of the gate it is. */
  caller: string;
  /** Milliseconds since 1970 after which waiting is given up. */
  deadline: number;
  /** Makes what is thrown when the queue is full or the deadline over. */
  refusal: () => Error;
}

interface Waiting {
  enter: () => void;
  timer: NodeJS.Timeout;
}

/** Lets so many pieces of work run at a time; others wait, and callers take turns. */
export class Gate {
  private running = 0;
  private queued = 0;
  private readonly held = new Map<string, number>();
  /** By caller; the caller whose turn is next stands first. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(private readonly bounds: GateBounds) {}

  /** Callers that have something running: whoever waits in a gate without a bound in all is one of them. */
  get callers(): number {
    return this.held.size;
  }

  /**
   * Runs `work` when there is a place.
   *
   * @throws what the visitor's refusal makes, when there is no room to wait or no place in time
   */
  async pass<T>(visitor: Visitor, work: () => Promise<T>): Promise<T> {
    const { caller } = visitor;
    if (this.hasPlaceFor(caller)) this.take(caller);
    else await this.turn(visitor);
    try {
      return await work();
    } finally {
      this.leave(caller);
    }
  }

  private hasPlaceFor(caller: string): boolean {
    const { places, placesOfOne = places } = this.bounds;
    return this.running < places && (this.held.get(caller) ?? 0) < placesOfOne;
  }

  private take(caller: string): void {
    this.running += 1;
    this.held.set(caller, (this.held.get(caller) ?? 0) + 1);
  }

  private leave(caller: string): void {
    this.running -= 1;
    const left = (this.held.get(caller) ?? 0) - 1;
    if (left > 0) this.held.set(caller, left);
    else this.held.delete(caller);
    this.admitNext();
  }

  private turn({ caller, deadline, refusal }: Visitor): Promise<void> {
    const { queue = Infinity, queueOfOne = queue } = this.bounds;
    const own = this.waiting.get(caller) ?? [];
    if (this.queued >= queue || own.length >= queueOfOne) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.forget(caller, entry);
          reject(refusal());
        },
        Math.max(0, deadline - Date.now()),
      );
      const entry: Waiting = { enter: resolve, timer };
      own.push(entry);
      this.waiting.set(caller, own);
      this.queued += 1;
    });
  }

  private admitNext(): void {
    for (const [caller, [next]] of this.waiting) {
      if (!next || !this.hasPlaceFor(caller)) continue;
      clearTimeout(next.timer);
      this.forget(caller, next);
      this.take(caller);
      next.enter();
      return;
    }
  }

  /** Takes an entry out of the queue, and puts its caller behind all others. */
  private forget(caller: string, entry: Waiting): void {
    const rest = (this.waiting.get(caller) ?? []).filter((each) => each !== entry);
    this.waiting.delete(caller);
    if (rest.length > 0) this.waiting.set(caller, rest);
    this.queued -= 1;
  }
}

/** The part of something that one may hold: the others still have most of it when one holds all that it can. */
const SHARE = 1 / 4;

/** The share of one, a caller or a kind of work, in something of which a process has `all`; at least 1. */
export function shareOf(all: number, round = Math.floor): number {
  return Math.max(1, round(all * SHARE));
}
