import type { Session } from '../../storage/session.js';
import { commitGap, type Committed, type DigestedBlocks } from './commit.js';
import { commitJoin } from './commit-past.js';
import { GapFiller } from './gap-filler.js';
import type { LoopOptions } from './loop-options.js';
import { Past, type PastReaders } from './past.js';
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

/** What a pipeline stores between its new blocks: gaps, and ranges of the past that are whole. */
export class Backfill<B extends Block> {
  private readonly gaps: GapFiller<B>;
  private readonly past: Past<B>;

  constructor(
    private readonly pipeline: Pipeline<B>,
    { from, storage, log, ...options }: LoopOptions,
    readers: PastReaders,
  ) {
    this.gaps = new GapFiller(pipeline, { ...options, log, name: pipeline.name });
    const since = from === 'now' ? null : from;
    this.past = new Past(pipeline, since, { prisma: storage.prisma, log, readers });
  }

  get pauses() {
    return this.gaps.pauses;
  }

  /** Resolves when it is known down to where the past is wanted; never while nobody asks. */
  get settled(): Promise<void> {
    return this.past.settled;
  }

  begin(session: Session): Promise<void> {
    this.past.begin();
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

  /** Whether `turn` has something to do. */
  isReady({ first }: Watermark): boolean {
    return this.gaps.isReady || this.past.isReady(first);
  }

  /** Milliseconds until there may be a range that is whole; Infinity where none is read. */
  untilLook({ first }: Watermark): number {
    return this.past.untilLook(first);
  }

  /** Goes one step further. @throws what the database throws; WrongBlock; NodeError; PipelineStopped */
  async turn(session: Session, { watermark, head, digest, moved }: LoopContext<B>): Promise<void> {
    if (this.gaps.isReady)
      await this.gaps.turn(session, async (gap, block) => {
        const marks = { gap, pauses: this.pauses };
        moved(await commitGap(session, watermark, await digest([block]), head, marks));
      });
    else
      await this.past.turn(session, watermark, head, async (before, range) => {
        const reached = this.pipeline.reached?.(range.first) ?? { rows: [] };
        const done = await commitJoin(session, before, range, reached, head);
        moved(done);
        // Whoever read it may have found some.
        this.gaps.look();
        return done.watermark;
      });
  }

  /** Gives up what is being asked for. */
  close(): void {
    this.gaps.close();
    this.past.close();
  }
}
