import { unlessFailed } from '../node/error.js';
import type { Reader } from './positions.js';
import type { ReadSpan } from './slots.js';
import { sharedBounds, SharedWindow } from './window.js';

interface Sized {
  readonly size: number;
}

/**
 * The blocks of a chain for readers of whole ones and for readers of heads, which need little more than
 * headers. These read whole blocks where somebody else reads them too, and elsewhere heads, much faster.
 */
export class EitherWindow<Head extends Sized, Whole extends Head> {
  private readonly whole: SharedWindow<Whole>;
  private readonly heads: SharedWindow<Head>;
  private readonly ofHeads = new Set<Reader>();

  constructor(readWhole: ReadSpan<Whole>, readHeads: ReadSpan<Head>, bounds = sharedBounds) {
    this.whole = new SharedWindow(readWhole, bounds);
    this.heads = new SharedWindow(readHeads, bounds);
  }

  /**
   * `count` blocks from `from` on; fewer only at the end of what nodes have.
   *
   * @param reader each block is given to it once: what it asks for again is read again
   * @throws NodeError; the signal's reason
   */
  wholeFor(reader: Reader, from: bigint, count: number, signal: AbortSignal): Promise<readonly Whole[]> {
    return this.whole.read(reader, from, count, signal);
  }

  /** The same for a reader of heads. @throws as above */
  async headsFor(reader: Reader, from: bigint, count: number, signal: AbortSignal): Promise<readonly Head[]> {
    this.ofHeads.add(reader);
    const read = this.whole.readBeside(reader, from, count, signal, this.ofHeads);
    const found = await unlessFailed(read, () => null);
    signal.throwIfAborted();
    if (found === null) return this.heads.read(reader, from, count, signal);
    // Otherwise readers of heads alone would wait for one that does not come.
    this.heads.leave(reader);
    return found;
  }

  /** A reader will ask for no block from this height on, until it says another one. */
  endAt(reader: Reader, height: bigint): void {
    this.whole.endAt(reader, height);
    this.heads.endAt(reader, height);
  }

  /** @param isIdle whether a reader has nothing left to write: only then do others hold it up */
  setIdle(reader: Reader, isIdle: boolean): void {
    this.whole.setIdle(reader, isIdle);
    this.heads.setIdle(reader, isIdle);
  }

  /** A reader begins elsewhere, or has ended: nothing is kept for it. */
  leave(reader: Reader): void {
    // One that failed while it wrote waits before its first batch too.
    this.setIdle(reader, true);
    this.whole.leave(reader);
    this.heads.leave(reader);
    this.ofHeads.delete(reader);
  }

  /** What was read so far is given to nobody any more. */
  clear(): void {
    this.whole.clear();
    this.heads.clear();
  }
}
