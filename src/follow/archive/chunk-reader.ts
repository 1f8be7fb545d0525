import { messageOf } from '../../errors.js';
import { Stopped, within } from '../../stop.js';
import { ChunkLines } from './chunk-lines.js';
import { chunkAt, type Chunk } from './chunks.js';
import { LineMemory } from './line-memory.js';

/** Bytes of lines that are kept: the batches of blocks whose receipts and traces are asked for meanwhile. */
const KEPT_BYTES = 32 * 1024 ** 2;
/** Lines before the one that is wanted which others, who read next to it, will want. */
const KEPT_BEFORE = 64;
/** Files that are open: one for each range of the past that is read. */
const MOST_OPEN = 64;
/** Milliseconds for one block: all lines before it may have to be unpacked. A disk that hangs is given up. */
const MOST_MS = 60_000;

/**
 * Reads blocks by height from files that can be read from their beginning only. Who reads upward goes on
 * where the last one ended, in any number of places.
 */
export class ChunkReader {
  private readonly memory = new LineMemory(KEPT_BYTES);
  /** Those that moved last at the end. */
  private open: ChunkLines[] = [];
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param chunks by height
   * @param onRefused called once for a file that is not read any more, with the reason
   */
  constructor(
    private readonly chunks: readonly Chunk[],
    private readonly onRefused: (chunk: Chunk, reason: string) => void,
  ) {}

  /** The file that should have a block, and is read; null for none. */
  chunkOf(height: number): Chunk | null {
    const chunk = chunkAt(this.chunks, height);
    return chunk === null || chunk.isRefused ? null : chunk;
  }

  /** One after the other: two who read the same file would take its lines from each other. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** The line of a block that was read lately. */
  known(height: number): string | undefined {
    return this.memory.get(height);
  }

  /**
   * The line of a block. In a turn alone.
   *
   * @returns null where its file cannot be read so far
   * @throws Stopped where that takes too long
   */
  async read(height: number): Promise<string | null> {
    const known = this.memory.get(height);
    if (known !== undefined) return known;
    const chunk = this.chunkOf(height);
    if (chunk === null) return null;
    const lines = this.linesOf(chunk, height);
    try {
      return await within(MOST_MS, this.readUpTo(lines, height));
    } catch (error) {
      if (error instanceof Stopped) throw error;
      this.refuse(chunk, messageOf(error));
      return null;
    }
  }

  /** @param reason for people */
  refuse(chunk: Chunk, reason: string): void {
    if (chunk.isRefused) return;
    chunk.isRefused = true;
    this.memory.clear();
    for (const lines of this.open.filter((each) => each.chunk === chunk)) this.drop(lines);
    this.onRefused(chunk, reason);
  }

  close(): void {
    for (const lines of this.open) this.drop(lines);
  }

  private async readUpTo(lines: ChunkLines, height: number): Promise<string> {
    for (;;) {
      const { next } = lines;
      const line = await lines.read();
      if (next > height - KEPT_BEFORE) this.memory.set(next, line);
      if (next === height) return line;
    }
  }

  /** Whoever is nearest before the block, or the file from its beginning. */
  private linesOf(chunk: Chunk, height: number): ChunkLines {
    const before = this.open.filter((each) => each.chunk === chunk && each.next <= height);
    const nearest = before.sort((a, b) => b.next - a.next)[0] ?? new ChunkLines(chunk);
    this.open = [...this.open.filter((each) => each !== nearest), nearest];
    if (this.open.length > MOST_OPEN) this.drop(this.open[0]!);
    return nearest;
  }

  private drop(lines: ChunkLines): void {
    this.open = this.open.filter((each) => each !== lines);
    // What it says at its end is of no use.
    lines.close().catch(() => undefined);
  }
}
