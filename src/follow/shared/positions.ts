/** Blocks from a reader's position within which what others read is kept for it. */
const NEAR = 8192n;
/** Blocks within which readers are at the same place. */
const SAME_PLACE = 64n;
/** Milliseconds for which a reader may wait for others for each in which it read: they save its requests. */
const WAIT_FOR_READ = 3;
/** Ranges that a reader reads at the same time. */
const MOST_RUNS = 64;

/** Whoever reads blocks: compared by identity. */
export type Reader = object;

/** Consecutive blocks that a reader has asked for, [from, to), upward or downward. */
export class Run {
  isDescending = false;
  /** Whether it is known which blocks it reads next: one range alone says nothing. */
  isGoingOn = false;
  /** Whether others were faster than it, so that nothing is kept for it. */
  isBehind = false;
  private allowanceMs: number;
  private since = performance.now();

  constructor(
    readonly reader: Reader,
    public from: bigint,
    public to: bigint,
    private readonly mostWaitMs: number,
  ) {
    this.allowanceMs = mostWaitMs;
  }

  /** Takes over the range that it goes on with. @returns whether it is one */
  goOn(from: bigint, to: bigint): boolean {
    const isUp = this.to === from && !(this.isGoingOn && this.isDescending);
    const isDown = this.from === to && !(this.isGoingOn && !this.isDescending);
    if (!isUp && !isDown) return false;
    if (isUp) this.to = to;
    else this.from = from;
    this.isDescending = !isUp;
    this.isGoingOn = true;
    return true;
  }

  /** Blocks between its position and a height that it has not reached; negative for one behind it. */
  distanceTo(height: bigint): bigint {
    return this.isDescending ? this.from - 1n - height : height - this.to;
  }

  awaits(height: bigint): boolean {
    if (!this.isGoingOn || this.isBehind) return false;
    const distance = this.distanceTo(height);
    return distance >= 0n && distance < NEAR;
  }

  /** Whether it is about at a height. */
  isAt(height: bigint): boolean {
    const distance = this.distanceTo(height);
    return this.isGoingOn && distance < SAME_PLACE && distance > -SAME_PLACE;
  }

  /** Whether this one has come as far as another one, about. */
  isCloseTo({ isDescending, from, to }: Run): boolean {
    if (isDescending !== this.isDescending) return false;
    const distance = this.distanceTo(isDescending ? from : to - 1n);
    return distance < SAME_PLACE && distance > -NEAR;
  }

  /**
   * Milliseconds for which it may wait for others now. It waits for no longer than three times as long as it
   * has read since, so that it is at least a fourth as fast as alone.
   */
  get patienceMs(): number {
    const now = performance.now();
    this.allowanceMs = Math.min(this.mostWaitMs, this.allowanceMs + WAIT_FOR_READ * (now - this.since));
    this.since = now;
    return this.allowanceMs;
  }

  hasWaited(milliseconds: number): void {
    this.allowanceMs -= milliseconds;
    this.since = performance.now();
  }
}

/** Where the readers of a chain are. */
export class Positions {
  /** Of each reader those that moved last at the end. */
  private readonly runs = new Map<Reader, Run[]>();

  /**
   * @param mostWaitMs most milliseconds for which a reader waits for others, and its allowance at the start
   */
  constructor(private readonly mostWaitMs: number) {}

  /** A reader asks for these blocks. */
  move(reader: Reader, from: bigint, to: bigint): Run {
    const own = this.runs.get(reader) ?? [];
    const run = own.find((each) => each.goOn(from, to)) ?? new Run(reader, from, to, this.mostWaitMs);
    this.runs.set(reader, [...own.filter((each) => each !== run), run].slice(-MOST_RUNS));
    if (run.isBehind) run.isBehind = ![...this.others(reader)].some((each) => run.isCloseTo(each));
    return run;
  }

  /** The other readers that will ask for a block soon. */
  awaiting(height: bigint, reader: Reader): Set<Reader> {
    const found = new Set<Reader>();
    for (const run of this.others(reader)) if (run.awaits(height)) found.add(run.reader);
    return found;
  }

  /** Whether a reader is about at a height, other than these. */
  isNear(height: bigint, except: ReadonlySet<Reader>): boolean {
    for (const [reader, runs] of this.runs)
      if (!except.has(reader) && runs.some((run) => run.isAt(height))) return true;
    return false;
  }

  /** Nothing is kept any more for a reader that is slower. */
  leaveBehind(reader: Reader): void {
    for (const run of this.runs.get(reader) ?? []) run.isBehind = true;
  }

  /** A reader begins elsewhere, or has ended. @returns whether it was known */
  forget(reader: Reader): boolean {
    return this.runs.delete(reader);
  }

  private *others(reader: Reader): Generator<Run> {
    for (const [other, runs] of this.runs) if (other !== reader) yield* runs;
  }
}
