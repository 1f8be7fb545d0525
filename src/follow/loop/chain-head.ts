import { NodeError, unlessFailed } from '../node/error.js';
import { isEnd } from '../node/in-order.js';
import type { Block, Pipeline } from '../pipeline.js';
import type { LoopOptions } from './loop-options.js';

/** Milliseconds between two looks for a new block at the head, and while there are others to read. */
const POLL_MS = 500;
const POLL_BEHIND_MS = 5000;
/** How often in a row a block must be missing, with growing pauses between, before the head is doubted. */
const OFTEN = 4;

/**
 * The newest height of a chain, as far as nodes give its blocks: one that is named, and that nobody can give,
 * would be waited for for ever.
 */
export class ChainHead<B extends Block> {
  height = -1n;
  /** With `once`: what is to be stored, which is the height that was found first. */
  private goal: bigint | undefined;
  private lookedAt = -Infinity;
  /** The lowest height that no node gave last, and how often in a row. */
  private missing: { readonly height: bigint; readonly times: number } | null = null;
  /** Whether a higher one was named than is given. */
  private isLowered = false;

  constructor(
    private readonly pipeline: Pick<Pipeline<B>, 'head' | 'fetch' | 'name'>,
    private readonly options: Pick<LoopOptions, 'signal' | 'log' | 'from' | 'once'>,
  ) {}

  /** Looks before anything is followed. @throws NodeError; the signal's reason */
  async begin(): Promise<void> {
    const { once, from } = this.options;
    // What is to be reached at the end, or begun at, is what nodes agree on.
    await this.look(this.goal === undefined && (once || from === 'now'));
    this.goal ??= this.height;
  }

  /** Whether all is stored that is to be. @param next the height after what is stored */
  isReached(next: bigint): boolean {
    return this.options.once && this.goal !== undefined && next > this.goal;
  }

  /** Whether it is time to look. @param isReading whether there are blocks to read */
  isDue(isReading: boolean): boolean {
    return this.untilLook(isReading ? POLL_BEHIND_MS : POLL_MS) <= 0;
  }

  /** Milliseconds until the next look. */
  untilLook(everyMs = POLL_MS): number {
    return this.lookedAt + everyMs - performance.now();
  }

  /** A node that is behind what is stored is no news: nothing is undone. @throws as `begin` */
  async look(settled = false): Promise<void> {
    this.height = await this.given(await this.pipeline.head(this.options.signal, settled));
    this.lookedAt = performance.now();
    if (this.isLowered && this.goal! > this.height) this.goal = this.height;
  }

  /** The height after it. @throws NodeError if no node has its block; the signal's reason */
  async next(): Promise<bigint> {
    const { height } = this;
    // What fails otherwise says nothing of the height.
    const isGiven = height < 0n || (await unlessFailed(this.gives(height), () => true));
    if (isGiven) return height + 1n;
    const text = `no node has given block ${height}, which one of them names as its newest`;
    throw new NodeError('wait', 'not-found', text, null);
  }

  /** No node gave the block of this height, although a higher one was named. */
  noteMissing(height: bigint): void {
    const times = this.missing?.height === height ? this.missing.times : 0;
    this.missing = { height, times: times + 1 };
  }

  private async given(named: bigint): Promise<bigint> {
    const { missing } = this;
    if (!missing || missing.times < OFTEN || named < missing.height) return named;
    // Where the newest one is given, those before it are missing: they are waited for.
    if ((await this.gives(named)) || (await this.gives(missing.height))) {
      this.missing = null;
      this.isLowered = false;
      return named;
    }
    const { name: pipeline } = this.pipeline;
    const last = missing.height - 1n;
    const text = `${pipeline}: a node names block ${named} as its newest, and no node gives it, or any after block ${last}: it is followed up to there`;
    if (!this.isLowered) this.options.log.warn({ pipeline }, text);
    this.isLowered = true;
    return last;
  }

  private async gives(height: bigint): Promise<boolean> {
    try {
      return (await this.pipeline.fetch(height, 1, this.options.signal)).length > 0;
    } catch (error) {
      if (isEnd(error)) return false;
      throw error;
    }
  }
}
