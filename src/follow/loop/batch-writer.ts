import type { Session } from '../../storage/session.js';
import type { Reader } from '../../storage/reader.js';
import { roomFor } from './batch-room.js';
import { afterBlocks, digested, type Committed, type DigestedBlocks } from './commit.js';
import { checkLast, linkedOf } from './links.js';
import type { Block, Pipeline } from '../pipeline.js';
import type { Watermark } from '../watermark.js';
import type { BlockWindow } from './window.js';

export interface WriterDeps<B extends Block> {
  readonly pipeline: Pipeline<B>;
  /** The database, for what a digest reads. */
  readonly reader: Reader;
  /** Commits a batch after what is stored. */
  readonly commit: (session: Session, before: Watermark, batch: DigestedBlocks) => Promise<Committed>;
  /** Called when a batch is stored. */
  readonly stored: (done: Committed, batch: DigestedBlocks) => void;
  readonly signal: AbortSignal;
}

/**
 * Checks, digests and commits blocks in order. While PostgreSQL commits a batch the next one is digested, so
 * that both processors work.
 */
export class BatchWriter<B extends Block> {
  /** What is committed. */
  watermark!: Watermark;
  /** The same after the batch that is being committed. */
  digested!: Watermark;
  /** Rejected when that fails. */
  private committing: Promise<void> = Promise.resolve();
  private rowsPerBlock = 10;

  constructor(private readonly deps: WriterDeps<B>) {}

  /** Begins at a watermark, without what was not committed. */
  begin(watermark: Watermark): void {
    this.committing = Promise.resolve();
    this.moved(watermark);
  }

  /**
   * The next blocks that it has room for. While it waits for them and commits nothing, others that read the
   * same blocks hold it up.
   *
   * @throws as BlockWindow.take
   */
  async take(window: BlockWindow<B>): Promise<B[]> {
    const { pipeline, signal } = this.deps;
    let isTaking = true;
    const idle = () => isTaking && pipeline.setIdle?.(true);
    void this.committing.then(idle, idle);
    try {
      return await window.take(roomFor(this.rowsPerBlock), signal);
    } finally {
      isTaking = false;
      pipeline.setIdle?.(false);
    }
  }

  /** Waits for what is being committed. @throws what that throws */
  settle(): Promise<void> {
    return this.committing;
  }

  /** Takes over a watermark that was moved otherwise. Call it after `settle`. */
  moved(watermark: Watermark): void {
    this.digested = this.watermark = watermark;
  }

  /**
   * @param next the block after these, if it is there: from another node, it proves the last one
   * @param head the newest height that is known
   * @throws WrongBlock, once what is before it is stored; what the pipeline and the last commit throw
   */
  async write(session: Session, blocks: readonly B[], next: B | undefined, head: bigint): Promise<void> {
    const linked = linkedOf(this.digested, blocks, next);
    if (linked.blocks.length > 0) await this.writeLinked(session, linked.blocks, linked.next, head);
    if (!linked.wrong) return;
    // What fails there is not hidden by the wrong block, which is found again.
    await this.committing;
    throw linked.wrong;
  }

  private async writeLinked(
    session: Session,
    blocks: readonly B[],
    next: B | undefined,
    head: bigint,
  ): Promise<void> {
    const { pipeline, signal } = this.deps;
    const compared = checkLast(pipeline, blocks, next, signal);
    // Who waits for it below gets the error, after what is being digested.
    compared.catch(() => undefined);
    const batch = await this.digest(blocks, head);
    await Promise.all([compared, this.committing]);
    this.digested = afterBlocks(this.digested, blocks, batch.digest);
    this.committing = this.commit(session, batch);
    // Who waits for it next gets the error.
    this.committing.catch(() => undefined);
  }

  /** Rows of blocks, after those that were digested. @throws what the pipeline throws */
  async digest(blocks: readonly B[], head: bigint): Promise<DigestedBlocks> {
    const { pipeline, reader, signal } = this.deps;
    const { memo } = this.digested;
    return digested(blocks, await pipeline.digest(blocks, { reader, memo, head, signal }));
  }

  private async commit(session: Session, batch: DigestedBlocks): Promise<void> {
    const done = await this.deps.commit(session, this.watermark, batch);
    const rows = batch.sets.reduce((sum, each) => sum + each.rows.length, 0);
    this.rowsPerBlock = (this.rowsPerBlock + rows / batch.blocks.length) / 2;
    this.watermark = done.watermark;
    this.deps.stored(done, batch);
  }
}
