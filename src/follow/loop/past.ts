import type { Logger } from 'pino';
import type { PastGoal } from '../../config/follow-settings.js';
import { BackgroundFetch } from './background-fetch.js';
import { checkLinks } from './links.js';
import { MissingBlocks, PipelineStopped, WrongBlock } from '../errors.js';
import { NodeError } from '../node/error.js';
import { GrowingPauses } from '../pauses.js';
import type { Block, Pipeline } from '../pipeline.js';
import type { Watermark } from '../watermark.js';

/** Blocks that are read at a time. */
const STRIDE = 32n;

/** Reads the blocks before those that a pipeline has, the newest first, down to a time or a height. */
export class PastReader<B extends Block> {
  /** The lowest height of the goal; undefined before it is known. */
  private goal: bigint | undefined;
  private reading: BackgroundFetch<readonly B[]> | null = null;
  private readonly pauses = new GrowingPauses();
  private retryAt = -Infinity;

  constructor(
    private readonly pipeline: Pipeline<B>,
    private readonly since: PastGoal | bigint | null,
    private readonly log: Logger,
  ) {
    if (typeof since === 'bigint') this.goal = since;
  }

  /** Whether something is left to read. @param first the lowest height that is stored */
  isBusy(first: bigint): boolean {
    return this.since !== null && (this.goal === undefined || first > this.goal);
  }

  /** Whether `turn` has something to do. */
  isReady(first: bigint): boolean {
    if (this.reading) return this.reading.outcome !== undefined;
    return this.isBusy(first) && performance.now() >= this.retryAt;
  }

  /** Resolves when what is being read is there; never while nothing is. */
  get settled(): Promise<void> {
    return this.reading?.settled ?? new Promise(() => undefined);
  }

  /**
   * Begins to read, or stores what was read. Call it while there is nothing else to do.
   *
   * @param head the newest height
   * @param store writes the rows of the blocks before the first one that is stored
   * @throws what `store` throws; WrongBlock; PipelineStopped for a pipeline that cannot be read backward
   */
  async turn(
    watermark: Watermark,
    head: bigint,
    store: (blocks: readonly B[]) => Promise<void>,
  ): Promise<void> {
    const { reading } = this;
    if (!reading) {
      this.reading = new BackgroundFetch((signal) => this.before(watermark, head, signal));
      return;
    }
    const { outcome } = reading;
    if (!outcome) return;
    this.reading = null;
    if ('error' in outcome) return this.waitAfter(outcome.error);
    const blocks = outcome.value;
    if (blocks.length === 0) return;
    this.check(watermark, blocks);
    await store(blocks);
    this.pauses.reset();
  }

  /** Gives up what is being read. */
  close(): void {
    this.reading?.giveUp('these blocks are read later');
    this.reading = null;
  }

  /** The blocks right before the first one; none when the goal is reached. */
  private async before({ name, first }: Watermark, head: bigint, signal: AbortSignal): Promise<readonly B[]> {
    if (!this.pipeline.firstSince)
      throw new PipelineStopped(`${name} cannot be read backward: give --from a height`);
    if (typeof this.since === 'object' && this.since !== null)
      this.goal ??= await this.pipeline.firstSince(this.since.since, head, signal);
    if (this.goal === undefined) return [];
    if (first <= this.goal) return [];
    const from = first - STRIDE > this.goal ? first - STRIDE : this.goal;
    const count = Number(first - from);
    const blocks = await this.pipeline.fetch(from, count, signal);
    if (blocks.length < count) throw new MissingBlocks(from + BigInt(blocks.length));
    return blocks;
  }

  private check({ name, first, firstParent }: Watermark, blocks: readonly B[]): void {
    checkLinks({ name, next: first - BigInt(blocks.length), lastId: null }, blocks);
    const last = blocks.at(-1)!;
    if (firstParent !== null && last.id !== firstParent)
      throw new WrongBlock(
        last,
        `${last.source} has a block ${last.height} of ${name} (${last.id}) that is not the parent of our block ${first} (${firstParent})`,
      );
  }

  private waitAfter(error: Error): void {
    if (!(error instanceof NodeError || error instanceof MissingBlocks)) throw error;
    const { name } = this.pipeline;
    if (this.pauses.isNews(error.message))
      this.log.warn({ pipeline: name }, `${name}: reading earlier blocks is paused: ${error.message}`);
    this.retryAt = performance.now() + this.pauses.next();
  }
}
