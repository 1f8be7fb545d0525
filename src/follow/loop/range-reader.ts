import { MissingBlocks, Outrun, PipelineStopped, WrongBlock } from '../errors.js';
import type { Session } from '../../storage/session.js';
import { GrowingPauses, pause } from '../pauses.js';
import type { Block, Pipeline } from '../pipeline.js';
import { gapPauses } from '../gaps.js';
import { BatchWriter } from './batch-writer.js';
import { commitRange } from './commit-past.js';
import { tellGaps } from './gap-filler.js';
import { takeLock } from './lock.js';
import type { LoopOptions } from './loop-options.js';
import { claimRange, giveRange, type Lane } from './range-claim.js';
import { noteOnRange, parentAbove, readAgain, readPast, type Range } from './ranges.js';
import { verdictOn, type Verdict } from './verdict.js';
import { rangeBounds } from './window-bounds.js';
import { BlockWindow } from './window.js';

export type ReaderOptions = Pick<
  LoopOptions,
  'storage' | 'network' | 'log' | 'signal' | 'milestones' | 'gapPauses'
>;

/** Milliseconds between two looks whether there is a range to read: while some are missing, and else. */
const LOOK_MS = 250;
const IDLE_MS = 2000;
/** How often in a row blocks must not follow what is stored of a range before it is read again. */
const MOST_MISFITS = 3;
/**
 * Reads ranges of the past of a pipeline, one after the other, upward: the newest that no other reader has.
 * Its locks are those of its connection: a range of a process that has died is free.
 */
export class RangeReader<B extends Block = Block> {
  private readonly pauses = new GrowingPauses();
  private readonly writer: BatchWriter<B>;
  /** That is being read, for the note of why it waits. */
  private range: Range | null = null;
  private head = -1n;
  /** How often in a row blocks did not fit. */
  private misfits = 0;

  /** @param pipeline this reader's own */
  constructor(
    private readonly pipeline: Pipeline<B>,
    private readonly options: ReaderOptions,
    private readonly lane: Lane,
  ) {
    const { storage, signal, log, milestones } = options;
    const { name } = pipeline;
    this.writer = new BatchWriter({
      pipeline,
      reader: storage,
      signal,
      commit: (session, before, batch) => commitRange(session, before, batch, options.gapPauses ?? gapPauses),
      stored: (done, { blocks }) => {
        tellGaps(log, name, blocks);
        milestones.notePart(name, done);
        this.misfits = 0;
        this.pauses.reset();
      },
    });
  }

  /** Reads until the signal is aborted. @returns why it cannot go on by itself; undefined after the signal */
  async run(): Promise<PipelineStopped | undefined> {
    const { storage, signal } = this.options;
    while (!signal.aborted) {
      const work = storage.session((session) => this.onSession(session));
      const then = await work.catch((error: unknown) => this.recover(null, error));
      if (then instanceof PipelineStopped) return then;
    }
    return undefined;
  }

  private get work() {
    return { network: this.options.network, name: this.pipeline.name };
  }

  private async onSession(session: Session): Promise<PipelineStopped | undefined> {
    const { signal } = this.options;
    // A second follower has the same lanes: it stands by.
    const mine = { ...this.work, part: `lane ${this.lane.lane}` };
    while (!signal.aborted && !(await takeLock(session, mine))) await pause(IDLE_MS, signal);
    while (!signal.aborted) {
      const then = await this.readNext(session).catch((error: unknown) => this.recover(session, error));
      if (then === 'renew') return undefined;
      if (then instanceof PipelineStopped) return then;
    }
    return undefined;
  }

  /** Reads the next range, or waits until there may be one. @throws as `read` */
  private async readNext(session: Session): Promise<void> {
    const { signal, storage } = this.options;
    const { prisma } = storage;
    const past = await readPast(prisma, this.work);
    const isOver = past === null || past.missing.first >= past.missing.end;
    const range = isOver ? null : await claimRange(session, prisma, { ...this.work, ...this.lane }, past);
    if (range === null) return pause(isOver ? IDLE_MS : LOOK_MS, signal);
    this.head = past!.head;
    this.range = range;
    try {
      await this.read(session, range);
    } finally {
      await this.writer.settle().catch(() => undefined);
      // Other streams keep no blocks for it.
      this.pipeline.forget();
      // Where the connection is gone, the lock is too.
      await giveRange(session, range).catch(() => undefined);
    }
    this.range = null;
  }

  /** @throws what nodes or the database throw; WrongBlock; Outrun */
  private async read(session: Session, range: Range): Promise<void> {
    const { pipeline, writer } = this;
    const { log } = this.options;
    const { name } = pipeline;
    pipeline.forget();
    // One block more proves the last one.
    pipeline.endAt?.(range.end + 1n);
    writer.begin(range);
    const window = new BlockWindow<B>(
      (from, count, closed) => pipeline.fetch(from, count, closed),
      range.next,
      { ...rangeBounds, stride: pipeline.stride ?? rangeBounds.stride },
    );
    window.goal = range.end <= this.head ? range.end : range.end - 1n;
    try {
      while (writer.digested.next < range.end) {
        const taken = await writer.take(window);
        const blocks = taken.filter(({ height }) => height < range.end);
        const next = taken[blocks.length] ?? window.next;
        if (blocks.length === 0) throw new MissingBlocks(writer.digested.next);
        await this.checkAbove(session, range, blocks.at(-1)!);
        await writer.write(session, blocks, next, this.head);
      }
      await writer.settle();
    } finally {
      window.close();
    }
    const { first, end } = range;
    const shown = (height: bigint) => height.toLocaleString('en');
    log.info(
      { pipeline: name },
      `${name}: the blocks ${shown(first)} to ${shown(end - 1n)} of the past are stored`,
    );
  }

  /** What is stored above a range decides. @throws WrongBlock */
  private async checkAbove(session: Session, range: Range, last: B): Promise<void> {
    if (last.height !== range.end - 1n) return;
    const parent = await parentAbove(session, range);
    if (parent === null || parent === last.id) return;
    throw new WrongBlock(
      last,
      `${last.source} has a block ${last.height} of ${this.pipeline.name} (${last.id}) that is not the parent of our block ${range.end} (${parent})`,
    );
  }

  /** Judges an error, shows it, and waits as it demands. */
  private async recover(
    session: Session | null,
    error: unknown,
  ): Promise<PipelineStopped | 'renew' | undefined> {
    const { log, signal } = this.options;
    const { name } = this.pipeline;
    const { range } = this;
    if (signal.aborted) return undefined;
    const { then, note, isFault }: Verdict = verdictOn(error, this.pipeline);
    const text = `${name}: reading earlier blocks is paused: ${note}`;
    if (then === 'stop') log.error({ pipeline: name, ...(isFault && { err: error }) }, text);
    else if (!(error instanceof Outrun) && this.pauses.isNews(note)) log.warn({ pipeline: name }, text);
    if (session && range && then !== 'renew') await this.noteTrouble(session, range, error, note);
    this.range = null;
    if (then === 'stop') return new PipelineStopped(note, { cause: error });
    if (then !== 'again') await this.pauses.wait(signal);
    return then === 'renew' ? 'renew' : undefined;
  }

  /** Nothing proves yet what is stored of a range: where blocks do not follow it, that may be wrong. */
  private async noteTrouble(session: Session, range: Range, error: unknown, note: string): Promise<void> {
    this.misfits = error instanceof WrongBlock ? this.misfits + 1 : 0;
    const isWrong = this.misfits >= MOST_MISFITS;
    if (isWrong) this.misfits = 0;
    try {
      await noteOnRange(session, range, note);
      if (isWrong) await readAgain(session, range);
    } catch (failure) {
      this.options.log.debug({ err: failure }, 'why a range waits could not be stored');
    }
  }
}
