import { Patience } from './patience.js';

/** Blocks from a reader's position within which what others read is kept for it. */
const NEAR = 8192n;
/** Blocks within which readers are at the same place. */
export const SAME_PLACE = 64n;
/** Ranges that a reader reads at the same time. */
const MOST_RUNS = 64;

/** Whoever reads blocks: compared by identity. */
export type Reader = object;

/** Consecutive blocks that a reader asks for together. */
export interface Ask {
  readonly from: bigint;
  readonly to: bigint;
  /** Resolves when it has taken them, or never will. */
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** Consecutive blocks that a reader has asked for, [from, to), upward or downward. */
export class Run {
  isDescending = false;
  /** Whether it is known which blocks it reads next: one range alone says nothing. */
  isGoingOn = false;
  /** Whether others were faster than it, so that nothing is kept for it. */
  isBehind = false;
  /** Whether its reader goes on elsewhere. */
  isLeft = false;
  /** What it has asked for and not taken yet, in order. */
  private readonly asks: Ask[] = [];

  constructor(
    readonly reader: Reader,
    public from: bigint,
    public to: bigint,
    /** No block from there on is asked for; null: it goes on for ever. */
    private readonly end: bigint | null,
  ) {}

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

  /** It asks for these. @returns the ask, and the one before, which takes its blocks first */
  ask(from: bigint, to: bigint): { readonly own: Ask; readonly before: Ask | undefined } {
    const before = this.asks.at(-1);
    let end = () => undefined as void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const own: Ask = {
      from,
      to,
      ended,
      end: () => {
        this.asks.splice(this.asks.indexOf(own), 1);
        end();
      },
    };
    this.asks.push(own);
    return { own, before };
  }

  /** Where what it has taken ends. */
  private get edge(): bigint {
    const [next] = this.asks;
    return this.isDescending ? (next?.to ?? this.from) : (next?.from ?? this.to);
  }

  /** Blocks between what it has taken and a height that it has not; negative for one behind it. */
  distanceTo(height: bigint): bigint {
    return this.isDescending ? this.edge - 1n - height : height - this.edge;
  }

  private comesTo(height: bigint): boolean {
    return this.end === null || height < this.end;
  }

  awaits(height: bigint): boolean {
    if (!this.isGoingOn || this.isBehind || !this.comesTo(height)) return false;
    const distance = this.distanceTo(height);
    return distance >= 0n && distance < NEAR;
  }

  /** Blocks by which a height is ahead of it; null where it is elsewhere. */
  leadOf(height: bigint): bigint | null {
    const distance = this.distanceTo(height);
    if (!this.isGoingOn || distance <= -SAME_PLACE || !this.comesTo(height)) return null;
    return distance < (this.isBehind ? SAME_PLACE : NEAR) ? distance : null;
  }

  /** Whether this one has come as far as another one, about. */
  isCloseTo({ isDescending, edge }: Run): boolean {
    if (isDescending !== this.isDescending) return false;
    const distance = this.distanceTo(isDescending ? edge : edge - 1n);
    return distance < SAME_PLACE && distance > -NEAR;
  }
}

/** Where the readers of a chain are. */
export class Positions {
  /** Of each reader those that moved last at the end. */
  private readonly runs = new Map<Reader, Run[]>();
  private readonly patience = new WeakMap<Reader, Patience>();
  private readonly ends = new WeakMap<Reader, bigint>();

  /**
   * @param mostWaitMs most milliseconds for which a reader waits for others, and its allowance at the start
   */
  constructor(private readonly mostWaitMs: number) {}

  /** A reader asks for these blocks. */
  move(reader: Reader, from: bigint, to: bigint): Run {
    const own = this.runs.get(reader) ?? [];
    const run =
      own.find((each) => each.goOn(from, to)) ?? new Run(reader, from, to, this.ends.get(reader) ?? null);
    this.runs.set(reader, [...own.filter((each) => each !== run), run].slice(-MOST_RUNS));
    if (run.isBehind) run.isBehind = ![...this.others(reader)].some((each) => run.isCloseTo(each));
    return run;
  }

  /** A reader will ask for no block from this height on, until it says another one. */
  endAt(reader: Reader, height: bigint): void {
    this.ends.set(reader, height);
  }

  /** The other readers that will ask for a block soon, or wait for it. */
  awaiting(height: bigint, reader: Reader): Set<Reader> {
    const found = new Set<Reader>();
    for (const run of this.others(reader)) if (run.awaits(height)) found.add(run.reader);
    return found;
  }

  /**
   * The reader farthest behind a height of those that go the same way and will ask for it; null for none. It
   * waits for nobody, so that who waits for it does not wait for ever.
   */
  hindmost(height: bigint, { reader, isDescending }: Run): Reader | null {
    let [found, most]: [Reader | null, bigint] = [null, 0n];
    for (const run of this.others(reader)) {
      const distance = run.awaits(height) && run.isDescending === isDescending ? run.distanceTo(height) : 0n;
      if (distance > most) [found, most] = [run.reader, distance];
    }
    return found;
  }

  /**
   * Blocks by which a height is ahead of the nearest reader other than these, which will come there soon, or
   * is there; null where all are elsewhere.
   */
  leadOf(height: bigint, except: ReadonlySet<Reader>): bigint | null {
    const leads = [...this.runs]
      .filter(([reader]) => !except.has(reader))
      .flatMap(([, runs]) => runs.flatMap((run) => run.leadOf(height) ?? []));
    return leads.length === 0 ? null : leads.reduce((least, each) => (each < least ? each : least));
  }

  /** How long a reader may wait for others, wherever it reads. */
  patienceOf(reader: Reader): Patience {
    const known = this.patience.get(reader) ?? new Patience(this.mostWaitMs);
    this.patience.set(reader, known);
    return known;
  }

  /** Nothing is kept any more for a reader that is slower. */
  leaveBehind(reader: Reader): void {
    for (const run of this.runs.get(reader) ?? []) run.isBehind = true;
  }

  /** A reader begins elsewhere, or has ended. @returns whether it was known */
  forget(reader: Reader): boolean {
    for (const run of this.runs.get(reader) ?? []) run.isLeft = true;
    return this.runs.delete(reader);
  }

  private *others(reader: Reader): Generator<Run> {
    for (const [other, runs] of this.runs) if (other !== reader) yield* runs;
  }
}
