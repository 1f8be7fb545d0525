import type { Session } from '../../storage/session.js';
import { Backfill } from './backfill.js';
import { afterBlocks, commitBatch, digested, type Committed, type DigestedBlocks } from './commit.js';
import { checkLinks, checkSame } from './links.js';
import { beginningInWords } from '../status/missing.js';
import { pause } from '../pauses.js';
import type { Block, Pipeline } from '../pipeline.js';
import type { PipelineView } from '../status/view.js';
import { openWatermark, type Watermark } from '../watermark.js';
import { roomFor } from './batch-room.js';
import type { LoopOptions } from './loop-options.js';
import { BlockWindow, windowBounds } from './window.js';

/** Milliseconds between two looks for a new block at the head, and while there are others to read. */
const POLL_MS = 500;
const POLL_BEHIND_MS = 5000;
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
  private head = -1n;
  private lookedAt = -Infinity;
  private rowsPerBlock = 10;
  /** With `once`: the head that was found first. */
  private goal: bigint | undefined;
  private isAgain = false;
  private readonly backfill: Backfill<B>;

  constructor(
    private readonly pipeline: Pipeline<B>,
    private readonly view: PipelineView,
    private readonly options: LoopOptions,
    /** Called when a batch is stored, or there is none. */
    private readonly onProgress: () => void,
  ) {
    this.backfill = new Backfill(pipeline, options);
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
        if (this.mustLook) await this.look();
        window.goal = this.head;
        const blocks = await window.take(roomFor(this.rowsPerBlock), signal);
        await (blocks.length > 0 ? this.advance(session, blocks, window.next) : this.idle(session));
        if (this.backfill.isReady(this.watermark, !this.isBehind)) await this.fill(session);
        await this.checkState();
      }
      await this.committing;
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
    await this.look();
    this.goal ??= this.head;
    const whole = async () => (await this.pipeline.beginning?.(this.head, this.options.signal)) ?? 0n;
    const position = {
      from: typeof from === 'object' && from !== null ? ('now' as const) : from,
      whole,
      now: this.head + 1n,
      again: this.options.again && !this.isAgain,
      readsPast: this.pipeline.firstSince !== undefined,
    };
    this.digested = this.watermark = await openWatermark(storage.prisma, network, name, position);
    this.isAgain = true;
    await this.checkTip();
    this.view.setPosition(this.watermark, this.head);
    this.view.show('following', null);
    await this.view.save();
    log.info({ pipeline: name }, beginningInWords(this.watermark, this.head));
  }

  private get isBehind(): boolean {
    return this.digested.next <= this.head;
  }

  private get isDone(): boolean {
    if (!this.options.once || this.goal === undefined || this.digested.next <= this.goal) return false;
    return !this.backfill.isBusy(this.watermark);
  }

  private get mustLook(): boolean {
    return performance.now() - this.lookedAt >= (this.isBehind ? POLL_BEHIND_MS : POLL_MS);
  }

  /** Asks for the newest height. A node that is behind what is stored is no news: nothing is undone. */
  private async look(): Promise<void> {
    this.head = await this.pipeline.head(this.options.signal);
    this.lookedAt = performance.now();
  }

  /** Checks that the node's chain is ours, before anything follows. */
  private async checkTip(): Promise<void> {
    const { next, lastId } = this.watermark;
    if (lastId === null || next - 1n > this.head) return;
    const [block] = await this.pipeline.fetch(next - 1n, 1, this.options.signal);
    if (block) checkSame(this.watermark, block);
  }

  /** Lets the pipeline compare what it keeps with a node, when everything is stored. */
  private async checkState(): Promise<void> {
    if (this.isBehind) return;
    await this.committing;
    await this.pipeline.atHead?.(this.watermark.next - 1n, this.options.signal);
  }

  /** @param next the block after these, if it is there: it proves the last one */
  private async advance(session: Session, blocks: readonly B[], next: B | undefined): Promise<void> {
    checkLinks(this.digested, next ? [...blocks, next] : blocks);
    const batch = await this.digest(blocks);
    await this.committing;
    this.digested = afterBlocks(this.digested, blocks, batch.digest);
    this.committing = this.commit(session, batch);
    // Who waits for it next gets the error.
    this.committing.catch(() => undefined);
  }

  private async digest(blocks: readonly B[]): Promise<DigestedBlocks> {
    const { storage: reader, signal } = this.options;
    const { memo } = this.digested;
    const digest = await this.pipeline.digest(blocks, { reader, memo, head: this.head, signal });
    return digested(blocks, digest);
  }

  /** Between two batches. */
  private async fill(session: Session): Promise<void> {
    await this.committing;
    const { watermark, head } = this;
    const moved = (done: Committed) => {
      this.digested = this.watermark = done.watermark;
      this.options.milestones.note(watermark.name, done, false);
    };
    const digest = (blocks: readonly B[]) => this.digest(blocks);
    await this.backfill.turn(session, !this.isBehind, { watermark, head, digest, moved });
  }

  private async commit(session: Session, batch: DigestedBlocks): Promise<void> {
    const done = await commitBatch(session, this.watermark, batch, this.head, this.backfill.pauses);
    this.backfill.note(batch.blocks);
    const rows = batch.sets.reduce((sum, each) => sum + each.rows.length, 0);
    this.rowsPerBlock = (this.rowsPerBlock + rows / batch.blocks.length) / 2;
    this.watermark = done.watermark;
    this.view.setPosition(this.watermark, this.head, true);
    this.view.show('following', null);
    this.options.milestones.note(this.watermark.name, done, this.watermark.next > this.head);
    this.onProgress();
  }

  /** Nothing to read: waits until the next look, and writes now and then that everything is stored. */
  private async idle(session: Session): Promise<void> {
    await this.committing;
    const { next, name } = this.watermark;
    const lags = this.head < next - 1n;
    const note = `the newest block of ${name} that a node has is ${this.head}; ${next - 1n} is stored`;
    this.view.setPosition(this.watermark, this.head);
    this.view.show(lags ? 'waiting' : 'following', lags ? note : null);
    if (!lags) this.onProgress();
    if (this.view.age >= SAVE_MS) {
      // The lock is this connection's: without it another follower writes this chain by now.
      await session.query('SELECT 1');
      await this.view.save();
    }
    const rest = pause(Math.max(0, this.lookedAt + POLL_MS - performance.now()), this.options.signal);
    await Promise.race([rest, this.backfill.settled]);
  }
}
