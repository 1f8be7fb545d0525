import type { Logger } from 'pino';
import type { PastGoal } from '../../config/follow-settings.js';
import type { Database } from '../../storage/prisma.js';
import type { Session } from '../../storage/session.js';
import { PipelineStopped } from '../errors.js';
import { contradiction, NodeError } from '../node/error.js';
import { GrowingPauses } from '../pauses.js';
import type { Block, Pipeline } from '../pipeline.js';
import type { Watermark } from '../watermark.js';
import { PastRate } from './past-rate.js';
import { BackgroundFetch } from './background-fetch.js';
import { noteGoal, rangeBelow, readAgain, type Range } from './ranges.js';

/** Milliseconds between two looks whether the range below the first stored block is whole. */
const LOOK_MS = 250;

/** Those who read ranges of the past in this process. */
export interface PastReaders {
  /** Starts them, if they do not read yet. */
  readonly start: () => void;
  /** Why one of them cannot go on by itself; undefined for none. */
  readonly failure: PipelineStopped | undefined;
}

/**
 * The past of a pipeline, as whoever follows its head sees it: down to where it is wanted, and when a range
 * joins what is stored. The ranges are read by others (range-reader.ts), in this process and in more.
 */
export class Past<B extends Block> {
  /** The lowest height of the goal; null before it is known. */
  private goal: bigint | null;
  private finding: BackgroundFetch<bigint> | null = null;
  private isNoted = false;
  private readonly pauses = new GrowingPauses();
  private lookAt = -Infinity;
  private readonly rate: PastRate;

  constructor(
    private readonly pipeline: Pipeline<B>,
    private readonly since: PastGoal | bigint | null,
    private readonly deps: {
      readonly prisma: Pick<Database, 'followPipeline' | 'followRange'>;
      readonly log: Logger;
      readonly readers: PastReaders;
    },
  ) {
    this.goal = typeof since === 'bigint' ? since : null;
    this.rate = new PastRate(deps.prisma, deps.log);
  }

  /** Call it when the pipeline begins, and after each of its errors. */
  begin(): void {
    this.isNoted = false;
  }

  /** Whether something is left to read. @param first the lowest height that is stored */
  isBusy(first: bigint): boolean {
    return this.since !== null && (this.goal === null || first > this.goal);
  }

  /** Whether `turn` has something to do. */
  isReady(first: bigint): boolean {
    if (this.finding) return this.finding.outcome !== undefined;
    return performance.now() >= this.lookAt && (this.isBusy(first) || !this.isNoted);
  }

  /** Resolves when it is known down to where the past is wanted; never while nobody asks. */
  get settled(): Promise<void> {
    return this.finding?.settled ?? new Promise(() => undefined);
  }

  /**
   * Goes one step further. Call it between two batches.
   *
   * @param head the newest height
   * @param join makes a whole range a part of what is stored; returns the watermark after it
   * @throws what `join` throws; NodeError for a range that the first stored block does not follow;
   *   PipelineStopped for a pipeline that cannot be read backward
   */
  async turn(
    session: Session,
    watermark: Watermark,
    head: bigint,
    join: (before: Watermark, range: Range) => Promise<Watermark>,
  ): Promise<void> {
    if (this.goal === null && this.since !== null) return this.find(watermark, head);
    const { readers, prisma } = this.deps;
    if (readers.failure) throw readers.failure;
    if (!this.isNoted) {
      await noteGoal(session, watermark, this.goal);
      this.isNoted = true;
      if (this.isBusy(watermark.first)) readers.start();
    }
    this.lookAt = performance.now() + LOOK_MS;
    if (!this.isBusy(watermark.first)) return;
    await this.rate.measure(session, watermark);
    let stored = watermark;
    for (let range = await rangeBelow(prisma, stored); range; range = await rangeBelow(prisma, stored)) {
      await this.check(session, stored, range);
      stored = await join(stored, range);
    }
  }

  /** Milliseconds until `turn` has something to do; Infinity where that does not depend on time. */
  untilLook(first: bigint): number {
    return this.isBusy(first) && !this.finding ? this.lookAt - performance.now() : Infinity;
  }

  /** Gives up what is being asked for. */
  close(): void {
    this.finding?.giveUp('this is asked for later');
    this.finding = null;
  }

  /** Finds the height of a day. */
  private find({ name }: Watermark, head: bigint): void {
    const { pipeline, since, finding } = this;
    if (!pipeline.firstSince || typeof since !== 'object' || since === null)
      throw new PipelineStopped(`${name} cannot be read backward: give --from a height`);
    if (!finding) {
      this.finding = new BackgroundFetch((signal) => pipeline.firstSince!(since.since, head, signal));
      return;
    }
    const { outcome } = finding;
    if (!outcome) return;
    this.finding = null;
    if ('value' in outcome) this.goal = outcome.value;
    else this.waitAfter(outcome.error);
  }

  /** What is stored above a range decides: one that it does not follow is read again. */
  private async check(
    session: Session,
    { name, first, firstParent }: Watermark,
    range: Range,
  ): Promise<void> {
    if (firstParent === null || range.lastId === firstParent) return;
    await readAgain(session, range);
    throw contradiction(
      `a node has a block ${first - 1n} of ${name} (${range.lastId}) that is not the parent of our block ${first} (${firstParent}): ` +
        `the blocks from ${range.first} on are read again`,
    );
  }

  private waitAfter(error: Error): void {
    if (!(error instanceof NodeError)) throw error;
    const { name } = this.pipeline;
    if (this.pauses.isNews(error.message))
      this.deps.log.warn({ pipeline: name }, `${name}: reading earlier blocks is paused: ${error.message}`);
    this.lookAt = performance.now() + this.pauses.next();
  }
}
