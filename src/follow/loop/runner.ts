import type { Session } from '../../storage/session.js';
import { PipelineStopped } from '../errors.js';
import { takeLock } from './lock.js';
import { FollowLoop } from './loop.js';
import type { LoopOptions } from './loop-options.js';
import { alone, RangeLanes } from './range-lanes.js';
import { GrowingPauses, pause } from '../pauses.js';
import type { Block, Pipeline } from '../pipeline.js';
import { verdictOn } from './verdict.js';
import { PipelineView } from '../status/view.js';

/** Milliseconds between two tries to take the lock from another follower. */
const STANDBY_MS = 5000;

/** How a part of a run came to its end; `again`: on the same session. */
type Outcome = 'ended' | 'again' | 'renew' | PipelineStopped;

/** Runs a pipeline, in one follower at a time, and retries after errors of nodes and of the database. */
export class PipelineRunner<B extends Block = Block> {
  readonly view: PipelineView;
  private readonly loop: FollowLoop<B>;
  private readonly pauses = new GrowingPauses();
  /** They read while this follower has the lock. */
  private readonly past: RangeLanes<B>;

  constructor(
    private readonly pipeline: Pipeline<B>,
    private readonly options: LoopOptions,
  ) {
    const { network, storage, log } = options;
    this.view = new PipelineView(pipeline.name, network, storage, log);
    this.past = new RangeLanes(pipeline, options, options.ranges ?? alone);
    this.loop = new FollowLoop(pipeline, this.view, options, () => this.pauses.reset(), this.past);
  }

  /**
   * Follows until the signal is aborted or, with `once`, the head that was found first is stored.
   *
   * @returns why it cannot continue by itself; undefined after a normal end
   */
  async run(): Promise<PipelineStopped | undefined> {
    const { storage } = this.options;
    for (;;) {
      const work = storage.session((session) => this.onSession(session));
      const outcome = await work.catch((error: unknown) => this.recover(error));
      if (outcome instanceof PipelineStopped) return outcome;
      if (outcome === 'ended') return undefined;
    }
  }

  private async onSession(session: Session): Promise<Outcome> {
    if (!(await this.waitForLock(session))) return 'ended';
    try {
      return await this.followOn(session);
    } finally {
      await this.past.stop();
    }
  }

  private async followOn(session: Session): Promise<Outcome> {
    for (;;) {
      const outcome = await this.loop.follow(session).then(
        () => this.end(),
        (error: unknown) => this.recover(error),
      );
      if (outcome !== 'again') return outcome;
    }
  }

  private async end(): Promise<Outcome> {
    // The row is another follower's while this one stands by.
    if (this.view.state !== 'standby') this.view.show('idle', null);
    await this.view.save();
    return 'ended';
  }

  /** Judges an error, shows it, and waits as it demands. */
  private async recover(error: unknown): Promise<Outcome> {
    const { log, signal } = this.options;
    const { name } = this.pipeline;
    if (signal.aborted) return this.end();
    const { then, note, isFault, source = null } = verdictOn(error, this.pipeline);
    if (then === 'stop')
      log.error({ pipeline: name, ...(isFault && { err: error }) }, `${name} has stopped: ${note}`);
    else if (this.pauses.isNews(note)) log.warn({ pipeline: name }, `${name} waits: ${note}`);
    const blamed = source === null ? [] : [source];
    if (then === 'stop') this.view.show('stopped', note, this.pipeline.sources?.());
    else this.view.show('waiting', note, blamed);
    await this.view.save();
    if (then === 'stop') return new PipelineStopped(note, { cause: error });
    if (then !== 'again') await this.pauses.wait(signal);
    if (signal.aborted) return this.end();
    return then === 'renew' ? 'renew' : 'again';
  }

  private async waitForLock(session: Session): Promise<boolean> {
    const { network, signal, log } = this.options;
    const { name } = this.pipeline;
    while (!signal.aborted) {
      if (await takeLock(session, { network, name })) return true;
      if (this.view.state !== 'standby' || this.view.note === null)
        log.info({ pipeline: name }, `${name}: another follower writes this chain; this one stands by`);
      this.view.show('standby', 'another follower writes this chain');
      await pause(STANDBY_MS, signal);
    }
    return false;
  }
}
