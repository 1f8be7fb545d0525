import type { Logger } from 'pino';
import type { Session } from '../../storage/session.js';
import { BackgroundFetch } from './background-fetch.js';
import { WrongBlock } from '../errors.js';
import { gapPauses, nextGap, postponeGap, wakeGaps, type Gap, type GapsOf } from '../gaps.js';
import { NodeError } from '../node/error.js';
import type { Pauses } from '../pauses.js';
import type { Block, Pipeline, PipelineName } from '../pipeline.js';

export interface FillerOptions extends GapsOf {
  /** Each gap is asked for once, and those that come meanwhile are not. */
  readonly once: boolean;
  /** Those of `gapPauses` when absent. */
  readonly gapPauses?: Pauses;
  readonly log: Logger;
}

/** A gap that is being asked for. */
interface Attempt<B> {
  readonly gap: Gap;
  readonly fetch: BackgroundFetch<B | undefined>;
}

/** Asks for the gaps of a pipeline again, one at a time while new blocks are read, with growing pauses. */
export class GapFiller<B extends Block> {
  readonly pauses: Pauses;
  private attempt: Attempt<B> | null = null;
  /** When the next one is to be asked for, as performance.now() has it. */
  private dueAt = Infinity;
  /** With `once`: those that were there at this time of the database. */
  private until: string | null = null;
  private isAwake = false;

  constructor(
    private readonly pipeline: Pipeline<B>,
    private readonly options: FillerOptions,
  ) {
    this.pauses = options.gapPauses ?? gapPauses;
  }

  /** Call it when the pipeline begins, and after each of its errors. */
  async begin(session: Session): Promise<void> {
    this.dueAt = -Infinity;
    if (this.isAwake) return;
    this.isAwake = true;
    const now = await wakeGaps(session, this.options);
    if (now === null) this.dueAt = Infinity;
    if (this.options.once) this.until = now;
  }

  /** Whether one is asked for, or is to be at once. */
  get isBusy(): boolean {
    return this.attempt !== null || performance.now() >= this.dueAt;
  }

  /** Whether `turn` has something to do. */
  get isReady(): boolean {
    return this.attempt ? this.attempt.fetch.outcome !== undefined : performance.now() >= this.dueAt;
  }

  /** There may be more of them, which this process has not found itself. */
  look(): void {
    if (!this.options.once) this.dueAt = -Infinity;
  }

  /** These blocks were stored. */
  note(blocks: readonly Block[]): void {
    const { name, log, once } = this.options;
    tellGaps(log, name, blocks);
    const isMissing = blocks.some(({ missing }) => missing);
    if (isMissing && !once) this.dueAt = Math.min(this.dueAt, performance.now() + this.pauses.least);
  }

  /**
   * Begins to ask for the next gap, or stores what came of the last one. Call it between two batches.
   *
   * @param store writes the rows of a block, as far as it has what is missing
   * @throws what `store` throws but for NodeErrors; WrongBlock
   */
  async turn(session: Session, store: (gap: Gap, block: B) => Promise<void>): Promise<void> {
    const { attempt } = this;
    if (attempt) {
      const { outcome } = attempt.fetch;
      if (!outcome) return;
      this.attempt = null;
      await this.settle(session, attempt.gap, outcome, store);
      return;
    }
    const gap = await nextGap(session, this.options, this.until);
    if (gap === null) this.dueAt = Infinity;
    else if (gap.wait > 0) this.dueAt = performance.now() + gap.wait;
    else this.attempt = this.ask(gap);
  }

  /** Gives up what is being asked for. */
  close(): void {
    this.attempt?.fetch.giveUp('this gap is asked for later');
    this.attempt = null;
  }

  private ask(gap: Gap): Attempt<B> {
    const fetch = async (signal: AbortSignal) => (await this.pipeline.fetch(gap.height, 1, signal))[0];
    return { gap, fetch: new BackgroundFetch(fetch) };
  }

  private async settle(
    session: Session,
    gap: Gap,
    outcome: NonNullable<Attempt<B>['fetch']['outcome']>,
    store: (gap: Gap, block: B) => Promise<void>,
  ): Promise<void> {
    const { log, name } = this.options;
    const postpone = (reason: string) =>
      postponeGap(session, gap, { transactions: gap.transactions, reason }, this.pauses);
    if ('error' in outcome) {
      if (!(outcome.error instanceof NodeError)) throw outcome.error;
      return postpone(outcome.error.message);
    }
    const block = outcome.value;
    if (!block) return postpone(`no node has given block ${gap.height}`);
    if (block.id !== gap.blockId) {
      const reason = `${block.source} has another block ${gap.height} of ${name} (${block.id}) than the block with the gap (${gap.blockId})`;
      await postpone(reason);
      throw new WrongBlock(block, reason);
    }
    // Others that are refused now were given before, and are stored.
    const still = gap.transactions.filter((each) => block.missing?.transactions.includes(each));
    if (block.missing && still.length === gap.transactions.length) return postpone(block.missing.reason);
    const missing = block.missing && still.length > 0 ? { ...block.missing, transactions: still } : null;
    try {
      await store(gap, { ...(this.pipeline.only?.(block, gap.transactions) ?? block), missing });
    } catch (failure) {
      if (!(failure instanceof NodeError)) throw failure;
      return postpone(failure.message);
    }
    log.info({ pipeline: name }, `${name}: the gap of block ${gap.height} is filled`);
  }
}

/** Tells which of these blocks, which were stored, have gaps. */
export function tellGaps(log: Logger, name: PipelineName, blocks: readonly Block[]): void {
  for (const { height, missing } of blocks) {
    if (!missing) continue;
    const count = missing.transactions.length;
    log.warn(
      { pipeline: name },
      `${name}: block ${height} has a gap: no node gives ${count === 1 ? 'one of its transactions' : `${count} of its transactions`}; it is asked for again (${missing.reason})`,
    );
  }
}
