import { setMaxListeners } from 'node:events';
import { unlessAborted } from '../../stop.js';
import { pause } from '../pauses.js';
import { Positions, SAME_PLACE, type Reader, type Run } from './positions.js';
import { itemsOf, SharedSlots, type Piece, type ReadSpan } from './slots.js';

/** Bounds of what is kept for readers that have not taken it, and of how long a faster one waits. */
export interface SharedBounds {
  readonly blocks: number;
  readonly bytes: number;
  readonly mostWaitMs: number;
}

export const sharedBounds: SharedBounds = { blocks: 320, bytes: 12 * 1024 ** 2, mostWaitMs: 15_000 };

/**
 * The blocks of a chain that several readers want, each read once while they are at the same place. A reader
 * that is faster waits for the others. They may hold it up for nine times as long as they do not: one that
 * is slower than that is left behind, and reads by itself until it has caught up.
 */
export class SharedWindow<T extends { readonly size: number }> {
  private readonly positions: Positions;
  private readonly slots: SharedSlots<T>;
  /** Those that have waited long enough for others, until these are at the same place. */
  private readonly alone = new WeakSet<Reader>();
  /** Aborted when something is not kept any more, or somebody reads what another one waits for. */
  private release = new AbortController();

  constructor(
    private readonly readSpan: ReadSpan<T>,
    private readonly bounds: SharedBounds = sharedBounds,
  ) {
    this.positions = new Positions(bounds.mostWaitMs);
    const awaiting = (height: bigint, reader: Reader) => this.positions.awaiting(height, reader);
    this.slots = new SharedSlots(readSpan, awaiting, () => this.wake());
  }

  /** What is kept for readers that have not taken it. */
  get figures(): { readonly blocks: number; readonly bytes: number } {
    return { ...this.slots.kept };
  }

  /**
   * `count` blocks from `from` on; fewer only at the end of what nodes have.
   *
   * @param reader each block is given to it once: what it asks for again is read again
   * @throws NodeError; the signal's reason
   */
  async read(reader: Reader, from: bigint, count: number, signal: AbortSignal): Promise<readonly T[]> {
    const wait = (run: Run) => this.waitForRoom(run, from, signal);
    return (await this.inTurn(reader, from, count, signal, wait))!;
  }

  /**
   * The same for a reader that can read otherwise, and then is much faster: only while others are at the same
   * place, or come there before it has waited long enough for them.
   *
   * @param except readers that do not count as others
   * @returns null where it should read otherwise
   * @throws as `read`
   */
  async readBeside(
    reader: Reader,
    from: bigint,
    count: number,
    signal: AbortSignal,
    except: ReadonlySet<Reader>,
  ): Promise<readonly T[] | null> {
    const wait = (run: Run) => this.waitForOthers(run, from, signal, except);
    const isBeside = this.isBeside(reader, from, except);
    if (isBeside) this.alone.delete(reader);
    const found = isBeside ? await this.inTurn(reader, from, count, signal, wait) : null;
    if (found === null) this.leave(reader);
    return found;
  }

  /** A reader will ask for no block from this height on, until it says another one. */
  endAt(reader: Reader, height: bigint): void {
    this.positions.endAt(reader, height);
  }

  /** @param isIdle whether a reader has nothing left to write: only then do others hold it up */
  setIdle(reader: Reader, isIdle: boolean): void {
    this.positions.patienceOf(reader).setIdle(isIdle);
  }

  /** A reader begins elsewhere, or has ended: nothing is kept for it. */
  leave(reader: Reader): void {
    if (this.positions.forget(reader)) this.slots.keepNothingFor(reader);
  }

  /** What was read so far is given to nobody any more. */
  clear(): void {
    this.slots.clear();
  }

  /**
   * Takes blocks after those that its run asked for before: what others read is kept for it from the first
   * one on that it has not taken.
   *
   * @param wait resolves when it may take them; false: it does without
   */
  private async inTurn(
    reader: Reader,
    from: bigint,
    count: number,
    signal: AbortSignal,
    wait: (run: Run) => Promise<boolean>,
  ): Promise<readonly T[] | null> {
    const to = from + BigInt(count);
    const run = this.positions.move(reader, from, to);
    const { own, before } = run.ask(from, to);
    // Node.js warns from the eleventh listener on.
    setMaxListeners(0, signal);
    let pieces: readonly Piece<T>[];
    try {
      if (before) await unlessAborted(signal, before.ended);
      if (!(await wait(run))) return null;
      pieces = this.slots.take(reader, from, count);
    } finally {
      own.end();
    }
    // Others may wait for room to read the same.
    this.wake();
    const found = await itemsOf(pieces, signal);
    // Another reader's answer ended before these: they may be there by now.
    return found.length > 0 ? found : this.readSpan(from, count, signal, () => undefined);
  }

  private get isFull(): boolean {
    const { blocks, bytes } = this.slots.kept;
    return blocks >= this.bounds.blocks || bytes >= this.bounds.bytes;
  }

  /** Whether what a reader reads next would be kept for others, who are behind it. */
  private isAhead(run: Run, from: bigint): boolean {
    return !this.slots.has(run.reader, from) && this.positions.hindmost(from, run) !== null;
  }

  /** Whether others, but for these, read the block of a height, have read it for the reader or soon will. */
  private isBeside(reader: Reader, height: bigint, except: ReadonlySet<Reader>): boolean {
    if (this.slots.has(reader, height)) return true;
    const lead = this.positions.leadOf(height, except);
    return lead !== null && (lead < SAME_PLACE || !this.alone.has(reader));
  }

  /** Waits while what a reader reads next would be kept for others, and too much is kept for them. */
  private async waitForRoom(run: Run, from: bigint, signal: AbortSignal): Promise<true> {
    const isEarly = () => this.isFull && this.isAhead(run, from);
    while (!(await this.waitWhile(isEarly, run, signal)))
      this.leaveBehind(this.positions.hindmost(from, run)!);
    return true;
  }

  /** The same also while they are far behind. @returns false where it has waited long enough */
  private async waitForOthers(
    run: Run,
    from: bigint,
    signal: AbortSignal,
    except: ReadonlySet<Reader>,
  ): Promise<boolean> {
    const isFarAhead = () => (this.positions.leadOf(from, except) ?? 0n) > BigInt(this.bounds.blocks);
    const isEarly = () => this.isAhead(run, from) && (this.isFull || isFarAhead());
    if (await this.waitWhile(isEarly, run, signal))
      return !run.isLeft && this.isBeside(run.reader, from, except);
    this.alone.add(run.reader);
    return false;
  }

  /** @returns false where it has waited long enough for others */
  private async waitWhile(isEarly: () => boolean, run: Run, signal: AbortSignal): Promise<boolean> {
    const patience = this.positions.patienceOf(run.reader);
    while (!run.isLeft && isEarly()) {
      const { leftMs } = patience;
      if (leftMs < 1) return false;
      if (this.release.signal.aborted) this.release = new AbortController();
      // Node.js warns from the eleventh listener on; there is one for each range that waits.
      setMaxListeners(0, this.release.signal);
      await patience.during(unlessAborted(signal, pause(leftMs, this.release.signal)));
    }
    return true;
  }

  private leaveBehind(reader: Reader): void {
    this.positions.leaveBehind(reader);
    this.slots.keepNothingFor(reader);
  }

  private wake(): void {
    this.release.abort();
  }
}
