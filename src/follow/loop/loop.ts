import type { Session } from '../../storage/session.js';
import { MissingBlocks } from '../errors.js';
import { Backfill } from './backfill.js';
import { BatchWriter } from './batch-writer.js';
import { commitBatch, type Committed, type DigestedBlocks } from './commit.js';
import { checkSame } from './links.js';
import type { PastReaders } from './past.js';
import { beginningInWords } from '../status/missing.js';
import { NodeError } from '../node/error.js';
import { pause } from '../pauses.js';
import type { Block, Pipeline } from '../pipeline.js';
import type { PipelineView } from '../status/view.js';
import { openWatermark } from '../watermark.js';
import type { LoopOptions } from './loop-options.js';
import { ChainHead } from './chain-head.js';
import { windowBounds } from './window-bounds.js';
import { BlockWindow } from './window.js';

/** Milliseconds between two writes of the row at the head, where no batch does it. */
const SAVE_MS = 5000;

/** Follows one pipeline: reads ahead, checks, digests and commits in order. */
export class FollowLoop<B extends Block = Block> {
  private readonly writer: BatchWriter<B>;
  private readonly head: ChainHead<B>;
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
    readers: PastReaders,
  ) {
    this.backfill = new Backfill(pipeline, options, readers);
    this.head = new ChainHead(pipeline, options);
    this.writer = new BatchWriter({
      pipeline,
      reader: options.storage,
      signal: options.signal,
      commit: (session, before, batch) =>
        commitBatch(session, before, batch, this.head.height, this.backfill.pauses),
      stored: (done, batch) => this.stored(done, batch),
    });
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
      this.writer.watermark.next,
      {
        ...windowBounds,
        stride: this.pipeline.stride ?? windowBounds.stride,
        mostBlocks: this.pipeline.mostAhead ?? windowBounds.mostBlocks,
      },
    );
    try {
      await this.backfill.begin(session);
      await this.checkState();
      while (!signal.aborted && !this.isDone) {
        if (this.head.isDue(this.isBehind && !this.isIdle)) await this.head.look();
        window.goal = this.head.height;
        const blocks = await this.writer.take(window);
        this.isIdle = blocks.length === 0;
        const { height } = this.head;
        await (blocks.length > 0
          ? this.writer.write(session, blocks, window.next, height)
          : this.idle(session));
        if (this.backfill.isReady(this.writer.watermark)) await this.fill(session);
        await this.checkState();
      }
      await this.writer.settle();
    } catch (error) {
      if (error instanceof MissingBlocks) this.head.noteMissing(error.height);
      throw error;
    } finally {
      window.close();
      this.backfill.close();
      // The code that continues has the session to itself.
      await this.writer.settle().catch(() => undefined);
    }
  }

  private async begin(): Promise<void> {
    const { storage, network, from, log } = this.options;
    const { name } = this.pipeline;
    this.pipeline.forget();
    await this.head.begin();
    const whole = async () => (await this.pipeline.beginning?.(this.head.height, this.options.signal)) ?? 0n;
    const position = {
      from: typeof from === 'object' && from !== null ? ('now' as const) : from,
      whole,
      now: () => this.head.next(),
      again: this.options.again && !this.isAgain,
      readsPast: this.pipeline.firstSince !== undefined,
    };
    this.writer.begin(await openWatermark(storage.prisma, network, name, position));
    this.isAgain = true;
    await this.checkTip();
    const { watermark } = this.writer;
    this.view.setPosition(watermark, this.head.height);
    this.view.show('following', null);
    await this.view.save();
    log.info({ pipeline: name }, beginningInWords(watermark, this.head.height));
  }

  private get isBehind(): boolean {
    return this.writer.digested.next <= this.head.height;
  }

  private get isDone(): boolean {
    const { digested, watermark } = this.writer;
    return this.head.isReached(digested.next) && !this.backfill.isBusy(watermark);
  }

  /** Checks that the node's chain is ours, before anything follows. */
  private async checkTip(): Promise<void> {
    const { watermark } = this.writer;
    const { next, lastId } = watermark;
    if (lastId === null || next - 1n > this.head.height) return;
    const [block] = await this.pipeline.fetch(next - 1n, 1, this.options.signal);
    if (block) checkSame(watermark, block);
  }

  /** Lets the pipeline compare what it keeps with a node, when everything is stored. */
  private async checkState(): Promise<void> {
    if (this.isBehind) return;
    await this.writer.settle();
    await this.pipeline.atHead?.(this.writer.watermark.next - 1n, this.options.signal);
  }

  /** Between two batches. */
  private async fill(session: Session): Promise<void> {
    await this.writer.settle();
    const { watermark } = this.writer;
    const head = this.head.height;
    const moved = (done: Committed) => {
      this.writer.moved(done.watermark);
      this.options.milestones.note(watermark.name, done, false);
    };
    const digest = (blocks: readonly B[]) => this.writer.digest(blocks, head);
    await this.backfill.turn(session, { watermark, head, digest, moved });
  }

  private stored(done: Committed, { blocks }: DigestedBlocks): void {
    const { watermark } = done;
    const head = this.head.height;
    this.backfill.note(blocks);
    this.view.setPosition(watermark, head, true);
    this.view.show('following', null);
    this.options.milestones.note(watermark.name, done, watermark.next > head);
    this.onProgress();
  }

  /** Nothing to read: waits until the next look, and writes now and then that everything is stored. */
  private async idle(session: Session): Promise<void> {
    await this.writer.settle();
    const { watermark } = this.writer;
    const { next, name } = watermark;
    const head = this.head.height;
    const lags = head < next - 1n;
    const note = `the newest block of ${name} that a node has is ${head}; ${next - 1n} is stored`;
    this.view.setPosition(watermark, head);
    this.view.show(lags ? 'waiting' : 'following', lags ? note : null);
    // Nothing is stored: it may begin elsewhere.
    if (lags && next === watermark.first && typeof this.options.from !== 'bigint')
      throw new NodeError('wait', 'not-accepted-yet', note, null);
    if (!lags) this.onProgress();
    if (this.view.age >= SAVE_MS) {
      // The lock is this connection's: without it another follower writes this chain by now.
      await session.query('SELECT 1');
      await this.view.save();
    }
    const until = Math.min(this.head.untilLook(), this.backfill.untilLook(watermark));
    const rest = pause(Math.max(0, until), this.options.signal);
    await Promise.race([rest, this.backfill.settled]);
  }
}
