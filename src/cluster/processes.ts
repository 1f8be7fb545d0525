import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import type { Stop } from '../stop.js';
import { ProcessesError } from './error.js';
import { watchHeartbeat } from './heartbeat.js';
import { Line, type LineMessage } from './line.js';
import { end, serves } from './siblings.js';

/**
 * Milliseconds before a process is replaced, by how many in its place ended at once in a row; after one more the
 * gateway ends.
 */
const REPLACED_AFTER_MS = [0, 500, 1000, 2000, 4000, 8000];
/** A process that has served for so many milliseconds did not end at once. */
const SOUND_MS = 5000;

export interface ProcessesOptions {
  count: number;
  /** How the environment of a process differs from this one's. @param place from 1 on */
  settings: (place: number) => Record<string, string>;
  /** A process was started: answer its questions on its line. */
  started: (line: Line) => void;
  /** A process has ended. */
  ended: (line: Line) => void;
  log: Logger;
  stop: Stop;
}

/** A process that runs. */
interface Running {
  place: number;
  worker: Worker;
  line: Line;
  /** When it began to serve, by `performance.now()`. */
  servesSince: number | undefined;
}

/**
 * The processes of a gateway, which share its ports. Each has a place, from 1 on; when it ends, another one is started
 * in its place, so that there is never more than one in a place. One that hangs is killed, and replaced like any other.
 */
export class Processes {
  private readonly running = new Set<Running>();
  /** By place: processes in a row that ended at once. */
  private readonly failures = new Map<number, number>();
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

  /** The lines to those that serve. */
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
    for (let place = 2; place <= count; place += 1) this.begin(place);
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
    for (const { line } of this.running) line.ask(end, null).catch(() => undefined);
    await this.until(() => this.running.size === 0);
  }

  private begin(place: number): void {
    if (this.ending) return;
    // So that `ps` shows which is which. Nothing else shows that a process is one of several.
    cluster.setupPrimary({ args: ['serve', '--process', String(place)] });
    const worker = cluster.fork(this.options.settings(place));
    const line = new Line((message) => {
      if (worker.isConnected()) worker.send(message, () => undefined);
    });
    const running: Running = { place, worker, line, servesSince: undefined };
    this.running.add(running);
    worker.on('message', (message: LineMessage) => line.take(message));
    worker.on('error', (error) => {
      this.options.log.error({ err: error, process: place }, 'a process cannot be reached');
      if (worker.process.pid === undefined) this.ended(running, 'was not started');
    });
    worker.on('exit', (code, signal) => this.ended(running, describe(code, signal)));
    line.answer(serves, ({ url }) => {
      running.servesSince = performance.now();
      this.hasServed = true;
      this.url = url;
      this.changeListener();
      return null;
    });
    watchHeartbeat(line, (seconds) => {
      const what = { process: place, pid: worker.process.pid, seconds };
      this.options.log.error(what, 'a process does not answer any more and is killed');
      worker.process.kill('SIGKILL');
    });
    this.options.started(line);
  }

  private ended(running: Running, how: string): void {
    if (!this.running.delete(running)) return;
    const { place, worker, line, servesSince } = running;
    line.close();
    this.options.ended(line);
    if (!this.ending) this.replace(place, worker.process.pid, how, servesSince);
    this.changeListener();
  }

  private replace(
    place: number,
    pid: number | undefined,
    how: string,
    servesSince: number | undefined,
  ): void {
    if (!this.hasServed)
      return this.giveUp(
        new ProcessesError(`The first process ${how} before it was ready; its output is above.`),
      );
    const wasSound = servesSince !== undefined && performance.now() - servesSince >= SOUND_MS;
    const failures = wasSound ? 0 : (this.failures.get(place) ?? 0);
    this.failures.set(place, failures + 1);
    const milliseconds = REPLACED_AFTER_MS[failures];
    const what = { process: place, endedPid: pid };
    if (milliseconds === undefined) {
      this.options.log.fatal(what, `a process ${how}, and is not replaced any more`);
      return this.giveUp(
        new ProcessesError(
          `Process ${place} ended at once ${failures + 1} times in a row; the last one ${how}. The log says why.`,
        ),
      );
    }
    this.options.log.error({ ...what, milliseconds }, `a process ${how}: it is replaced`);
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.begin(place);
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

function describe(code: number | null, signal: string | null): string {
  return signal ? `was ended by ${signal}` : `ended with code ${code}`;
}
