import type { Session } from '../../storage/session.js';
import { MissingBlocks } from '../errors.js';
import { Backfill } from './backfill.js';
import { afterBlocks, commitBatch, digested, type Committed, type DigestedBlocks } from './commit.js';
import { checkLast, checkLinks, checkSame } from './links.js';
import { beginningInWords } from '../status/missing.js';
import { NodeError } from '../node/error.js';
import { pause } from '../pauses.js';
import type { Block, Pipeline } from '../pipeline.js';
import type { PipelineView } from '../status/view.js';
import { openWatermark, type Watermark } from '../watermark.js';
import { roomFor } from './batch-room.js';
import type { LoopOptions } from './loop-options.js';
import { ChainHead } from './chain-head.js';
import { BlockWindow, windowBounds } from './window.js';

/** Milliseconds between two writes of the row at the head, where no batch does it. */
const SAVE_MS = 5000;
/**
 * Follows one pipeline: reads ahead, checks, digests and commits in order. While PostgreSQL commits a batch
 * the next one is digested, so that both processors work.
 */
export class FollowLoop<B extends Block = Block> {
  /** What is committed. */
  private watermark!: Watermark;
  /** The same after the batch that is being committed. */
  private digested!: Watermark;
  /** Rejected when that fails. */
  private committing: Promise<void> = Promise.resolve();
  private readonly head: ChainHead<B>;
  private rowsPerBlock = 10;
  private isAgain = false;
  private readonly backfill: Backfill<B>;
  /** Whether nothing could be read last: what is missing may be there at any moment. */
  private isIdle = false;

  constructor(
    private readonly pipeline: Pipeline<B>,
    private readonly view: PipelineView,
    private readonly options: LoopOptions,
    /** Called when a batch is stored, or there is none. */
    private readonly onProgress: () => void,
  ) {
    this.backfill = new Backfill(pipeline, options);
    this.head = new ChainHead(pipeline, options);
  }

  /**
   * Continues from the watermark until the signal is aborted or, with `once`, the goal is stored. Call it
   * again after an error: nothing that was not committed is left.
   *
   * @param session that has the pipeline's lock
   * @throws what a node or the database throws; WrongBlock; PipelineStopped; Outrun
   */
  async follow(session: Session): Promise<void> {
    const { signal } = this.options;
    await this.begin();
    const window = new BlockWindow<B>(
      (from, count, closed) => this.pipeline.fetch(from, count, closed),
      this.watermark.next,
      { ...windowBounds, stride: this.pipeline.stride ?? windowBounds.stride },
    );
    try {
      await this.backfill.begin(session);
      await this.checkState();
      while (!signal.aborted && !this.isDone) {
        if (this.head.isDue(this.isBehind && !this.isIdle)) await this.head.look();
        window.goal = this.head.height;
        const blocks = await window.take(roomFor(this.rowsPerBlock), signal);
        this.isIdle = blocks.length === 0;
        await (blocks.length > 0 ? this.advance(session, blocks, window.next) : this.idle(session));
        if (this.backfill.isReady(this.watermark, !this.isBehind)) await this.fill(session);
        await this.checkState();
      }
      await this.committing;
    } catch (error) {
      if (error instanceof MissingBlocks) this.head.noteMissing(error.height);
      throw error;
    } finally {
      window.close();
      this.backfill.close();
      // The code that continues has the session to itself.
      await this.committing.catch(() => undefined);
    }
  }

  private async begin(): Promise<void> {
    const { storage, network, from, log } = this.options;
    const { name } = this.pipeline;
    this.pipeline.forget();
    this.committing = Promise.resolve();
    await this.head.begin();
    const whole = async () => (await this.pipeline.beginning?.(this.head.height, this.options.signal)) ?? 0n;
    const position = {
      from: typeof from === 'object' && from !== null ? ('now' as const) : from,
      whole,
      now: () => this.head.next(),
      again: this.options.again && !this.isAgain,
      readsPast: this.pipeline.firstSince !== undefined,
    };
    this.digested = this.watermark = await openWatermark(storage.prisma, network, name, position);
    this.isAgain = true;
    await this.checkTip();
    this.view.setPosition(this.watermark, this.head.height);
    this.view.show('following', null);
    await this.view.save();
    log.info({ pipeline: name }, beginningInWords(this.watermark, this.head.height));
  }

  private get isBehind(): boolean {
    return this.digested.next <= this.head.height;
  }

  private get isDone(): boolean {
    return this.head.isReached(this.digested.next) && !this.backfill.isBusy(this.watermark);
  }

  /** Checks that the node's chain is ours, before anything follows. */
  private async checkTip(): Promise<void> {
    const { next, lastId } = this.watermark;
    if (lastId === null || next - 1n > this.head.height) return;
    const [block] = await this.pipeline.fetch(next - 1n, 1, this.options.signal);
    if (block) checkSame(this.watermark, block);
  }

  /** Lets the pipeline compare what it keeps with a node, when everything is stored. */
  private async checkState(): Promise<void> {
    if (this.isBehind) return;
    await this.committing;
    await this.pipeline.atHead?.(this.watermark.next - 1n, this.options.signal);
  }

  /** @param next the block after these, if it is there: from another node, it proves the last one */
  private async advance(session: Session, blocks: readonly B[], next: B | undefined): Promise<void> {
    checkLinks(this.digested, next ? [...blocks, next] : blocks);
    const compared = checkLast(this.pipeline, blocks, next, this.options.signal);
    // Who waits for it below gets the error, after what is being digested.
    compared.catch(() => undefined);
    const batch = await this.digest(blocks);
    await Promise.all([compared, this.committing]);
    this.digested = afterBlocks(this.digested, blocks, batch.digest);
    this.committing = this.commit(session, batch);
    // Who waits for it next gets the error.
    this.committing.catch(() => undefined);
  }

  private async digest(blocks: readonly B[]): Promise<DigestedBlocks> {
    const { storage: reader, signal } = this.options;
    const { memo } = this.digested;
    const digest = await this.pipeline.digest(blocks, { reader, memo, head: this.head.height, signal });
    return digested(blocks, digest);
  }

  /** Between two batches. */
  private async fill(session: Session): Promise<void> {
    await this.committing;
    const { watermark, head: newest } = this;
    const head = newest.height;
    const moved = (done: Committed) => {
      this.digested = this.watermark = done.watermark;
      this.options.milestones.note(watermark.name, done, false);
    };
    const digest = (blocks: readonly B[]) => this.digest(blocks);
    await this.backfill.turn(session, !this.isBehind, { watermark, head, digest, moved });
  }

  private async commit(session: Session, batch: DigestedBlocks): Promise<void> {
    const done = await commitBatch(session, this.watermark, batch, this.head.height, this.backfill.pauses);
    this.backfill.note(batch.blocks);
    const rows = batch.sets.reduce((sum, each) => sum + each.rows.length, 0);
    this.rowsPerBlock = (this.rowsPerBlock + rows / batch.blocks.length) / 2;
    this.watermark = done.watermark;
    this.view.setPosition(this.watermark, this.head.height, true);
    this.view.show('following', null);
    this.options.milestones.note(this.watermark.name, done, this.watermark.next > this.head.height);
    this.onProgress();
  }

  /** Nothing to read: waits until the next look, and writes now and then that everything is stored. */
  private async idle(session: Session): Promise<void> {
    await this.committing;
    const { next, name } = this.watermark;
    const head = this.head.height;
    const lags = head < next - 1n;
    const note = `the newest block of ${name} that a node has is ${head}; ${next - 1n} is stored`;
    this.view.setPosition(this.watermark, head);
    this.view.show(lags ? 'waiting' : 'following', lags ? note : null);
    // Nothing is stored: it may begin elsewhere.
    if (lags && next === this.watermark.first && typeof this.options.from !== 'bigint')
      throw new NodeError('wait', 'not-accepted-yet', note, null);
    if (!lags) this.onProgress();
    if (this.view.age >= SAVE_MS) {
      // The lock is this connection's: without it another follower writes this chain by now.
      await session.query('SELECT 1');
      await this.view.save();
    }
    const rest = pause(Math.max(0, this.head.untilLook()), this.options.signal);
    await Promise.race([rest, this.backfill.settled]);
  }
}
