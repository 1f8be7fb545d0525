import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import type { Stop } from '../stop.js';
import { ProcessesError } from './error.js';
import { closeUntaken } from './handed-over.js';
import { watchHeartbeat } from './heartbeat.js';
import { Line, type LineMessage } from './line.js';
import { describeEnd, LONGEST_PAUSE_MS, Restarts } from './restarts.js';
import { end, renew, serves } from './siblings.js';

/**
 * Milliseconds after which a process that was asked to end gets a successor: Ctrl-C reaches all processes,
 * and then none is wanted.
 */
const RENEWED_AFTER_MS = 100;

export interface ProcessesOptions {
  count: number;
  /** How the environment of a process differs from this one's. @param slot from 1 on */
  settings: (slot: number) => Record<string, string>;
  /** A process was started: answer its questions on its line. */
  started: (line: Line) => void;
  /** A process has ended. @param wasAsked it was asked to, and its replacement serves */
  ended: (line: Line, wasAsked: boolean) => void;
  log: Logger;
  stop: Stop;
}

/** A process that runs. */
interface Running {
  slot: number;
  worker: Worker;
  line: Line;
  /** When it began to serve, by `performance.now()`. */
  servesSince: number | undefined;
  /** The one that it will replace: asked to end, and serving until this one serves. */
  replaces: Running | undefined;
}

/**
 * The processes of a gateway, which share its ports. Each has a slot, numbered from 1; when it ends, another
 * one is started in its slot. One that hangs is killed, and replaced like any other. One that is asked to end
 * serves until its replacement does: only then are there two in a slot.
 */
export class Processes {
  private readonly running = new Set<Running>();
  private readonly restarts = new Restarts();
  private readonly timers = new Set<NodeJS.Timeout>();
  private changeListener: () => void = () => undefined;
  private url = '';
  private ending = false;
  private hasServed = false;
  private giveUp: (error: ProcessesError) => void = () => undefined;
  /** Rejects with a ProcessesError when processes end again and again; nothing is stopped then. */
  readonly failed: Promise<never>;

  constructor(private readonly options: ProcessesOptions) {
    this.failed = new Promise((_resolve, reject) => (this.giveUp = reject));
    this.failed.catch(() => undefined);
  }

  get serving(): Line[] {
    return [...this.running].filter(({ servesSince }) => servesSince !== undefined).map(({ line }) => line);
  }

  /**
   * Starts them all: one first, so that an error that keeps it from serving is reported once.
   *
   * @returns where clients reach them
   * @throws ProcessesError when that one ends before it serves, or another one does so again and again
   */
  async start(): Promise<string> {
    const { count } = this.options;
    this.begin(1);
    await Promise.race([this.servingAre(1), this.failed]);
    for (let slot = 2; slot <= count; slot += 1) this.begin(slot);
    await Promise.race([this.servingAre(count), this.failed]);
    return this.url;
  }

  /** Ends all of them, and waits for that; when the stop may wait no longer, it kills them. */
  async stop(): Promise<void> {
    const { atOnce } = this.options.stop;
    this.ending = true;
    for (const timer of this.timers) clearTimeout(timer);
    const kill = () => this.running.forEach(({ worker }) => worker.process.kill('SIGKILL'));
    if (atOnce.aborted) kill();
    else atOnce.addEventListener('abort', kill, { once: true });
    for (const { line } of this.running) line.ask(end, { replaced: false }).catch(() => undefined);
    await this.until(() => this.running.size === 0);
  }

  private begin(slot: number, replaces?: Running): void {
    if (this.ending) return;
    // So that `ps` shows which is which. Nothing else shows that a process is one of several.
    cluster.setupPrimary({ args: ['serve', '--process', String(slot)] });
    const worker = cluster.fork(this.options.settings(slot));
    closeUntaken(worker);
    const line = new Line((message) => {
      if (worker.isConnected()) worker.send(message, () => undefined);
    });
    const running: Running = { slot, worker, line, servesSince: undefined, replaces };
    this.running.add(running);
    worker.on('message', (message: LineMessage) => line.take(message));
    worker.on('error', (error) => {
      this.options.log.error({ err: error, process: slot }, 'a process cannot be reached');
      if (worker.process.pid === undefined) this.ended(running, 'was not started');
    });
    worker.on('exit', (code, signal) => this.ended(running, describeEnd(code, signal)));
    line.answer(serves, ({ url }) => {
      running.servesSince = performance.now();
      this.hasServed = true;
      this.url = url;
      replaces?.line.ask(end, { replaced: true }).catch(() => undefined);
      this.changeListener();
      return null;
    });
    line.answer(renew, () => this.renew(running));
    watchHeartbeat(line, (seconds) => {
      const what = { process: slot, pid: worker.process.pid, seconds };
      this.options.log.error(what, 'a process no longer answers and is killed');
      worker.process.kill('SIGKILL');
    });
    this.options.started(line);
  }

  /** Starts the replacement of a process that is to end. @returns whether it will be asked to end */
  private renew(running: Running): boolean {
    if (this.ending) return false;
    const what = { process: running.slot, pid: running.worker.process.pid };
    this.options.log.info(what, 'a process was asked to end: it serves until its replacement does');
    this.beginNext(running, RENEWED_AFTER_MS);
    return true;
  }

  private beginNext(running: Running, milliseconds: number): void {
    this.later(milliseconds, () => {
      if (this.running.has(running)) this.begin(running.slot, running);
    });
  }

  private ended(running: Running, how: string): void {
    if (!this.running.delete(running)) return;
    const { slot, line, replaces } = running;
    line.close();
    const successor = [...this.running].find((each) => each.replaces === running);
    if (successor) successor.replaces = undefined;
    this.options.ended(line, successor?.servesSince !== undefined);
    if (this.ending || successor) return this.changeListener();
    if (replaces && this.running.has(replaces) && running.servesSince === undefined) {
      const { milliseconds = LONGEST_PAUSE_MS } = this.restarts.ended(slot, undefined);
      const what = { process: slot, milliseconds };
      this.options.log.error(what, `a replacement ${how}: the old process keeps serving until one is ready`);
      this.beginNext(replaces, milliseconds);
    } else this.replace(running, how);
    this.changeListener();
  }

  private replace({ slot, worker, servesSince }: Running, how: string): void {
    if (!this.hasServed)
      return this.giveUp(
        new ProcessesError(`The first process ${how} before it was ready; its output is above.`),
      );
    const { before, milliseconds } = this.restarts.ended(slot, servesSince);
    const what = { process: slot, endedPid: worker.process.pid };
    if (milliseconds === undefined) {
      this.options.log.fatal(what, `a process ${how}, and is no longer replaced`);
      return this.giveUp(
        new ProcessesError(
          `Process ${slot} ended at once ${before + 1} times in a row; the last one ${how}. The log says why.`,
        ),
      );
    }
    this.options.log.error({ ...what, milliseconds }, `a process ${how}: it is replaced`);
    this.later(milliseconds, () => this.begin(slot));
  }

  private later(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, milliseconds);
    this.timers.add(timer);
  }

  private servingAre(count: number): Promise<void> {
    return this.until(() => this.serving.length >= count);
  }

  /** Resolves when a condition is true; it is checked whenever a process begins to serve or ends. */
  private until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.changeListener = () => {
        if (holds()) resolve();
      };
      this.changeListener();
    });
  }
}
