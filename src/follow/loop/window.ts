import { unlessAborted } from '../../stop.js';
import { MissingBlocks } from '../errors.js';
import { isEnd } from '../node/in-order.js';
import type { Block } from '../pipeline.js';
import type { BatchRoom } from './batch-room.js';
import { windowBounds, type WindowBounds } from './window-bounds.js';

/**
 * Blocks of a batch, as long as as many more are to come: the statements of a batch cost the same however few
 * they are.
 */
const WORTH_A_BATCH = 128;
/** Milliseconds after which fewer are delivered. */
const LONGEST_MS = 1000;
/** Bytes that a block is expected to have at least; the first ones 16 times as many. */
const LEAST_EXPECTED = 256;

type Fetch<B> = (from: bigint, count: number, signal: AbortSignal) => Promise<B[]>;

/** Blocks that were asked for together; `blocks` or `error` is set when the answer is there. */
interface Range<B> {
  readonly from: bigint;
  readonly count: number;
  readonly answer: Promise<void>;
  blocks?: readonly B[];
  error?: Error;
}

/**
 * Reads blocks ahead in parallel ranges and delivers them in order. What is read ahead grows while the reader
 * has to wait for it, and shrinks while it lies around: the slower side sets the pace.
 */
export class BlockWindow<B extends Block> {
  private readonly ranges: Range<B>[] = [];
  private readonly closing = new AbortController();
  /** In order, not delivered yet. */
  private ready: B[] = [];
  /** Of all blocks that are there, in order or not. */
  private held = { blocks: 0, bytes: 0 };
  /** Blocks that are being read. */
  private awaited = 0;
  private asked: bigint;
  private size: number;
  private deliveredAt = performance.now();
  /** Expected bytes of a block. */
  private expected = 16 * LEAST_EXPECTED;
  /** The highest block to read. */
  goal: bigint;

  /** @param from the first block */
  constructor(
    private readonly fetch: Fetch<B>,
    from: bigint,
    private readonly bounds: WindowBounds = windowBounds,
  ) {
    this.asked = from;
    this.goal = from - 1n;
    this.size = bounds.blocks;
  }

  /** The block after those that were delivered, if it is there. */
  get next(): B | undefined {
    return this.ready[0];
  }

  /** What is kept, and how many blocks are being read. */
  get figures(): { blocks: number; bytes: number; awaited: number } {
    return { ...this.held, awaited: this.awaited };
  }

  /**
   * The next blocks, as many as are there and the batch has room for; at least one, for which it waits, and
   * far from the goal for some more. The last of them may end a batch, even if that takes more blocks than
   * there is room for. The block after it is there, unless it is that of the goal: it proves the last one.
   *
   * @returns none when the goal is reached, or what is left cannot end a batch
   * @throws what `fetch` throws, once all blocks before are delivered but the last one; MissingBlocks; the
   *   signal's reason
   */
  async take(room: BatchRoom, signal: AbortSignal): Promise<B[]> {
    for (let waited = false; ;) {
      this.gather();
      this.fill();
      const count = this.endOfBatch(room);
      const [first] = this.ranges;
      if (count > 0 && !(first && this.isFew(count, room))) return this.deliver(count, waited);
      if (!first) return [];
      if (first.error) throw first.error;
      waited ||= count === 0;
      await unlessAborted(signal, first.answer);
    }
  }

  /** Gives up what is being read. */
  close(): void {
    this.closing.abort(new Error('these blocks are no longer needed'));
    this.ready = [];
  }

  /** Whether it is better to wait for more blocks, which are being read. */
  private isFew(count: number, { blocks, bytes }: BatchRoom): boolean {
    const [wanted, last] = [Math.min(WORTH_A_BATCH, this.size / 2, blocks), this.ready.at(-1)];
    return (
      count < wanted &&
      this.ranges[0]?.error === undefined &&
      this.held.bytes < Math.min(bytes, this.bounds.mostBytes) / 2 &&
      this.goal - (last?.height ?? this.goal) > WORTH_A_BATCH &&
      performance.now() - this.deliveredAt < LONGEST_MS
    );
  }

  private deliver(count: number, waited: boolean): B[] {
    this.deliveredAt = performance.now();
    const blocks = this.ready.splice(0, count);
    this.held.blocks -= blocks.length;
    for (const { size } of blocks) this.held.bytes -= size;
    const { leastBlocks, mostBlocks } = this.bounds;
    if (waited) this.size = Math.min(mostBlocks, this.size * 2);
    else if (this.ready.length > this.size / 2)
      this.size = Math.max(leastBlocks, Math.floor(this.size * 0.75));
    this.fill();
    return blocks;
  }

  /** Number of ready blocks that make the next batch; 0 when none may end one. */
  private endOfBatch(room: BatchRoom = { blocks: Infinity, bytes: Infinity }): number {
    let [end, bytes] = [0, 0];
    // Also where it failed: what nobody has proved is not stored.
    const isNextAwaited = (this.ready.at(-1)?.height ?? this.goal) < this.goal;
    const count = this.ready.length - Number(isNextAwaited);
    for (const [index, { size, mayEndBatch }] of this.ready.slice(0, count).entries()) {
      bytes += size;
      const full = index >= room.blocks || bytes > room.bytes;
      if (full && end > 0) break;
      if (mayEndBatch) end = index + 1;
    }
    return end;
  }

  /** Takes over the answers that are next in order. */
  private gather(): void {
    for (let [range] = this.ranges; range?.blocks; [range] = this.ranges) {
      this.ready.push(...range.blocks);
      if (range.blocks.length < range.count) {
        range.error = new MissingBlocks(range.from + BigInt(range.blocks.length));
        range.blocks = undefined;
        return;
      }
      this.ranges.shift();
    }
  }

  private fill(): void {
    while (this.asked <= this.goal && !this.closing.signal.aborted) {
      const count = this.nextCount();
      if (count === 0) return;
      this.ranges.push(this.begin(this.asked, count));
      this.asked += BigInt(count);
    }
  }

  /** How many blocks may be asked for now. One range is always read when nothing else can be delivered. */
  private nextCount(): number {
    const { stride, mostBytes } = this.bounds;
    const room = Math.min(
      this.size - this.held.blocks - this.awaited,
      Math.floor((mostBytes - this.held.bytes) / this.expected) - this.awaited,
    );
    const left = Number(this.goal - this.asked) + 1;
    const count = Math.min(stride, left, Math.max(1, Math.floor(mostBytes / 4 / this.expected)));
    if (room >= count) return count;
    return this.ranges.length === 0 && this.endOfBatch() === 0 ? count : 0;
  }

  private begin(from: bigint, count: number): Range<B> {
    this.awaited += count;
    const take = (blocks: readonly B[]) => {
      range.blocks = blocks;
      const bytes = blocks.reduce((sum, { size }) => sum + size, 0);
      this.held.blocks += blocks.length;
      this.held.bytes += bytes;
      const average = bytes / Math.max(1, blocks.length);
      // Rises at once and falls slowly: large blocks come together.
      this.expected = Math.max(average, this.expected * 0.9 + average * 0.1, LEAST_EXPECTED);
    };
    const fail = (error: unknown) => {
      if (isEnd(error)) range.error = new MissingBlocks(from, error.message);
      else range.error = error instanceof Error ? error : new Error(String(error));
    };
    const answer = Promise.resolve()
      .then(() => this.fetch(from, count, this.closing.signal))
      .finally(() => (this.awaited -= count))
      .then(take, fail);
    const range: Range<B> = { from, count, answer };
    return range;
  }
}
