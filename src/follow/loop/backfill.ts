import type { Session } from '../../storage/session.js';
import { commitBefore, commitGap, type Committed, type DigestedBlocks } from './commit.js';
import { GapFiller } from './gap-filler.js';
import type { LoopOptions } from './loop-options.js';
import { PastReader } from './past.js';
import type { Block, Pipeline } from '../pipeline.js';
import type { Watermark } from '../watermark.js';

/** The state of a loop between two batches; all batches are committed. */
export interface LoopContext<B extends Block> {
  readonly watermark: Watermark;
  readonly head: bigint;
  readonly digest: (blocks: readonly B[]) => Promise<DigestedBlocks>;
  /** Takes over what was stored. */
  readonly moved: (done: Committed) => void;
}

/** What a pipeline stores between its new blocks: gaps, and the past where it is wanted. */
export class Backfill<B extends Block> {
  private readonly gaps: GapFiller<B>;
  private readonly past: PastReader<B>;

  constructor(pipeline: Pipeline<B>, options: LoopOptions) {
    const { from, log } = options;
    this.gaps = new GapFiller(pipeline, { ...options, name: pipeline.name });
    this.past = new PastReader(pipeline, from === 'now' ? null : from, log);
  }

  get pauses() {
    return this.gaps.pauses;
  }

  /** Resolves when a part of the past was read; never while none is. */
  get settled(): Promise<void> {
    return this.past.settled;
  }

  begin(session: Session): Promise<void> {
    return this.gaps.begin(session);
  }

  /** These blocks were stored. */
  note(blocks: readonly Block[]): void {
    this.gaps.note(blocks);
  }

  /** Whether something is left. */
  isBusy({ first }: Watermark): boolean {
    return this.gaps.isBusy || this.past.isBusy(first);
  }

  /** Whether `turn` has something to do. @param isIdle whether there are no new blocks */
  isReady({ first }: Watermark, isIdle: boolean): boolean {
    return this.gaps.isReady || (isIdle && this.past.isReady(first));
  }

  /** Goes one step further. @throws what the database throws; WrongBlock; PipelineStopped */
  async turn(session: Session, isIdle: boolean, context: LoopContext<B>): Promise<void> {
    if (this.gaps.isReady)
      await this.gaps.turn(session, async (gap, block) => {
        const marks = { gap, pauses: this.pauses };
        const digested = await context.digest([block]);
        context.moved(await commitGap(session, context.watermark, digested, context.head, marks));
      });
    else if (isIdle)
      await this.past.turn(context.watermark, context.head, async (blocks) => {
        const digested = await context.digest(blocks);
        const done = await commitBefore(session, context.watermark, digested, context.head, this.pauses);
        this.note(blocks);
        context.moved(done);
      });
  }

  /** Gives up what is being asked for. */
  close(): void {
    this.gaps.close();
    this.past.close();
  }
}
