import type { Block, Pipeline } from '../pipeline.js';
import type { PipelineStopped } from '../errors.js';
import type { PastReaders } from './past.js';
import { RangeReader, type ReaderOptions } from './range-reader.js';

/** How many ranges of the past of each stream are read at once, and which of them by this process. */
export interface RangeShare {
  readonly lanes: number;
  /** Numbers of lanes, from 0 on. */
  readonly own: readonly number[];
}

/** One range at a time, by this process. */
export const alone: RangeShare = { lanes: 1, own: [0] };

/**
 * What each of several processes reads.
 *
 * @param process from 0 on
 */
export const shareOf = (process: number, processes: number, lanes: number): RangeShare => ({
  lanes,
  own: Array.from({ length: lanes }, (_, lane) => lane).filter((lane) => lane % processes === process),
});

/** The readers of the past of a pipeline in this process. */
export class RangeLanes<B extends Block = Block> implements PastReaders {
  failure: PipelineStopped | undefined;
  private ending = new AbortController();
  private runs: readonly Promise<void>[] = [];

  constructor(
    private readonly pipeline: Pipeline<B>,
    private readonly options: ReaderOptions,
    private readonly share: RangeShare,
  ) {}

  start(): void {
    const { pipeline, options, share } = this;
    if (this.runs.length > 0 || !pipeline.another) return;
    this.ending = new AbortController();
    const signal = AbortSignal.any([options.signal, this.ending.signal]);
    const readers = share.own.map(
      (lane) => new RangeReader(pipeline.another!(), { ...options, signal }, { lane, lanes: share.lanes }),
    );
    this.runs = readers.map(async (reader) => {
      const why = await reader.run();
      this.failure ??= why;
    });
  }

  /** Resolves when all have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.runs);
  }

  /** Ends them after what they are writing. They can be started again. */
  async stop(): Promise<void> {
    this.ending.abort(new Error('this past is not read any longer'));
    await this.ended();
    this.runs = [];
  }
}
