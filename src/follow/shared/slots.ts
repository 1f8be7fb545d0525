import { isEnd } from '../node/in-order.js';
import { SharedCall } from './call.js';
import type { Reader } from './positions.js';

/**
 * Reads consecutive blocks; fewer only at the end of what nodes have.
 *
 * @param grow takes bytes that a block takes in addition to its size, when more of it was read
 * @throws NodeError
 */
export type ReadSpan<T> = (
  from: bigint,
  count: number,
  signal: AbortSignal,
  grow: (height: bigint, bytes: number) => void,
) => Promise<readonly T[]>;

/** Consecutive blocks that one reader asks for, and others may wait for. */
interface Span<T> {
  readonly from: bigint;
  readonly count: number;
  readonly call: SharedCall<readonly T[]>;
}

/** A block that is being read, or kept. */
interface Slot<T> {
  readonly span: Span<T>;
  /** Those that have taken it: who asks for it again wants another answer. */
  readonly takers: Set<Reader>;
  /** Those for whom it is kept. */
  readonly awaitedBy: Set<Reader>;
  isThere: boolean;
  /** Bytes, as far as they are known. */
  size: number;
}

/** Some blocks of a span. */
export interface Piece<T> {
  readonly span: Span<T>;
  readonly from: bigint;
  count: number;
}

/** Blocks that are being read, and those that are kept for readers that have not taken them. */
export class SharedSlots<T extends { readonly size: number }> {
  /** By height, in the order in which they were asked for. */
  private readonly slots = new Map<bigint, Slot<T>>();
  /** What is kept for somebody. */
  readonly kept = { blocks: 0, bytes: 0 };

  /**
   * @param awaiting the readers, other than this one, that will ask for a block soon
   * @param onRelease called when something is not kept any more
   */
  constructor(
    private readonly readSpan: ReadSpan<T>,
    private readonly awaiting: (height: bigint, reader: Reader) => Set<Reader>,
    private readonly onRelease: () => void,
  ) {}

  /** Whether a block is there, or is being read, that this reader has not taken. */
  has(reader: Reader, height: bigint): boolean {
    const slot = this.slots.get(height);
    return slot !== undefined && !slot.takers.has(reader) && !slot.span.call.isGivenUp;
  }

  /** The blocks as parts of what is read already, and of what is read from now on. */
  take(reader: Reader, from: bigint, count: number): readonly Piece<T>[] {
    const pieces: Piece<T>[] = [];
    const end = from + BigInt(count);
    for (let height = from; height < end;) {
      const span = this.has(reader, height) ? this.slots.get(height)!.span : this.begin(reader, height, end);
      const piece = { span, from: height, count: 0 };
      for (; height < end; height += 1n) {
        const slot = this.slots.get(height);
        if (slot?.span !== span) break;
        slot.takers.add(reader);
        this.unkeep(height, slot, reader);
        piece.count += 1;
      }
      pieces.push(piece);
    }
    return pieces;
  }

  /** Begins to read, up to the next block that is there or is read already. */
  private begin(reader: Reader, from: bigint, end: bigint): Span<T> {
    let next = from + 1n;
    while (next < end && !this.has(reader, next)) next += 1n;
    const count = Number(next - from);
    const call = new SharedCall(async (signal) => {
      // Not before the span is there.
      await Promise.resolve();
      try {
        const items = await this.readSpan(from, count, signal, (height, bytes) => this.grow(height, bytes));
        this.settle(span, items);
        return items;
      } catch (error) {
        this.settle(span, []);
        throw error;
      }
    });
    const span: Span<T> = { from, count, call };
    for (let height = from; height < next; height += 1n) {
      this.drop(height);
      const awaitedBy = this.awaiting(height, reader);
      this.slots.set(height, { span, takers: new Set(), awaitedBy, isThere: false, size: 0 });
      if (awaitedBy.size > 0) this.kept.blocks += 1;
    }
    return span;
  }

  private settle(span: Span<T>, items: readonly T[]): void {
    for (let index = 0; index < span.count; index += 1) {
      const height = span.from + BigInt(index);
      const slot = this.slots.get(height);
      if (slot?.span !== span) continue;
      slot.isThere = true;
      const item = items[index];
      if (item) this.grow(height, item.size);
      if (!item || slot.awaitedBy.size === 0) this.drop(height);
    }
  }

  private grow(height: bigint, bytes: number): void {
    const slot = this.slots.get(height);
    if (!slot) return;
    slot.size += bytes;
    if (slot.awaitedBy.size > 0) this.kept.bytes += bytes;
  }

  private drop(height: bigint): void {
    const slot = this.slots.get(height);
    for (const reader of slot?.awaitedBy ?? []) this.unkeep(height, slot!, reader);
    this.slots.delete(height);
  }

  private unkeep(height: bigint, slot: Slot<T>, reader: Reader): void {
    if (!slot.awaitedBy.delete(reader) || slot.awaitedBy.size > 0) return;
    this.kept.blocks -= 1;
    this.kept.bytes -= slot.size;
    if (slot.isThere) this.slots.delete(height);
    this.onRelease();
  }

  keepNothingFor(reader: Reader): void {
    for (const [height, slot] of this.slots) this.unkeep(height, slot, reader);
    this.onRelease();
  }

  /** What was read so far is given to nobody any more. */
  clear(): void {
    for (const height of [...this.slots.keys()]) this.drop(height);
  }
}

/** The items of pieces, up to the first that is not there. @throws NodeError; the signal's reason */
export async function itemsOf<T>(pieces: readonly Piece<T>[], signal: AbortSignal): Promise<T[]> {
  const answers = await Promise.allSettled(pieces.map(({ span }) => span.call.join(signal)));
  const found: T[] = [];
  for (const [index, { span, from, count }] of pieces.entries()) {
    const answer = answers[index]!;
    if (answer.status === 'rejected') {
      if (isEnd(answer.reason) && found.length > 0) return found;
      throw answer.reason;
    }
    const offset = Number(from - span.from);
    const items = answer.value.slice(offset, offset + count);
    found.push(...items);
    if (items.length < count) return found;
  }
  return found;
}
