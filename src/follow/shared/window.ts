import { setMaxListeners } from 'node:events';
import { unlessAborted } from '../../stop.js';
import { pause } from '../pauses.js';
import { Positions, type Reader, type Run } from './positions.js';
import { itemsOf, SharedSlots, type ReadSpan } from './slots.js';

/** Bounds of what is kept for readers that have not taken it, and of how long a faster one waits. */
export interface SharedBounds {
  readonly blocks: number;
  readonly bytes: number;
  readonly mostWaitMs: number;
}

export const sharedBounds: SharedBounds = { blocks: 320, bytes: 12 * 1024 ** 2, mostWaitMs: 15_000 };

/**
 * The blocks of a chain that several readers want, each read once while they are at the same place. A reader
 * that is faster waits for the others, but no longer than three times as long as it reads; one that is slower
 * than that is left behind, and reads by itself until it has caught up.
 */
export class SharedWindow<T extends { readonly size: number }> {
  private readonly positions: Positions;
  private readonly slots: SharedSlots<T>;
  private readonly waits = new Map<Run, Promise<void>>();
  /** Aborted when something is not kept any more. */
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
    const run = this.positions.move(reader, from, from + BigInt(count));
    await this.waitForRoom(run, from, signal);
    const found = await itemsOf(this.slots.take(reader, from, count), signal);
    // Another reader's answer ended before these: they may be there by now.
    return found.length > 0 ? found : this.readSpan(from, count, signal, () => undefined);
  }

  /** Whether a reader is about at a height, other than these. */
  isNear(height: bigint, except: ReadonlySet<Reader>): boolean {
    return this.positions.isNear(height, except);
  }

  /** A reader begins elsewhere, or has ended: nothing is kept for it. */
  leave(reader: Reader): void {
    if (this.positions.forget(reader)) this.slots.keepNothingFor(reader);
  }

  /** What was read so far is given to nobody any more. */
  clear(): void {
    this.slots.clear();
  }

  private get isFull(): boolean {
    const { blocks, bytes } = this.slots.kept;
    return blocks >= this.bounds.blocks || bytes >= this.bounds.bytes;
  }

  /** Waits while what the reader reads next would be kept for others, and too much is kept for them. */
  private async waitForRoom(run: Run, from: bigint, signal: AbortSignal): Promise<void> {
    // Node.js warns from the eleventh listener on; a reader asks for many ranges at a time.
    setMaxListeners(0, signal);
    while (
      this.isFull &&
      !this.slots.has(run.reader, from) &&
      this.positions.awaiting(from, run.reader).size > 0
    ) {
      const wait = this.waits.get(run) ?? this.beginWait(run);
      if (wait) await unlessAborted(signal, wait);
      else this.leaveSlowestBehind();
    }
  }

  /** One for all ranges of a run. @returns null where it has waited long enough */
  private beginWait(run: Run): Promise<void> | null {
    const { patienceMs } = run;
    if (patienceMs < 1) return null;
    const begun = performance.now();
    const wait = pause(patienceMs, this.release.signal).then(() => {
      run.hasWaited(performance.now() - begun);
      this.waits.delete(run);
    });
    this.waits.set(run, wait);
    return wait;
  }

  private leaveSlowestBehind(): void {
    for (const reader of this.slots.slowest) {
      this.positions.leaveBehind(reader);
      this.slots.keepNothingFor(reader);
    }
  }

  private wake(): void {
    if (this.waits.size === 0) return;
    this.release.abort();
    this.release = new AbortController();
  }
}
