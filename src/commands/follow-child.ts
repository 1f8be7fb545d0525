import { fork, type ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import { environmentWith, type Config } from '../config.js';
import { GrowingPauses } from '../follow/pauses.js';
import type { Stop } from '../stop.js';

/**
 * Of Node.js, for a process that follows: `npm run moraine` has them too. What is read of a block lives until
 * the block is committed, longer than objects of the usual young generation of 16 MiB may: copying them took
 * a tenth of the time.
 */
export const followerOptions = ['--max-semi-space-size=48'];

/** Milliseconds before it is started again while it keeps ending soon. */
const LEAST_PAUSE_MS = 1000;
const MOST_PAUSE_MS = 60_000;
/** A follower that ran for so many milliseconds was sound. */
const SOUND_MS = 60_000;

/** A process that follows, as another one starts it. */
export interface ChildOptions {
  /** For people: `the follower`. */
  readonly what: string;
  /** Arguments of the command. */
  readonly args: readonly string[];
  /** How its environment differs from this one's. */
  readonly settings: Readonly<Record<string, string | undefined>>;
}

/**
 * A process that follows, for another one. It is started again when it ends, and ends by itself when that
 * process is gone.
 */
export class FollowChild {
  private child: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly pauses = new GrowingPauses(LEAST_PAUSE_MS, MOST_PAUSE_MS);
  private ending = false;
  private whenEnded: () => void = () => undefined;

  constructor(
    private readonly options: ChildOptions,
    private readonly log: Logger,
    private readonly stop: Stop,
  ) {
    this.begin();
  }

  /** Ends it, and waits for that: the database may be closed then. */
  async end(): Promise<void> {
    this.ending = true;
    clearTimeout(this.timer);
    const { child } = this;
    if (!child) return;
    const kill = () => child.kill('SIGKILL');
    const ended = new Promise<void>((resolve) => (this.whenEnded = resolve));
    child.kill('SIGTERM');
    if (this.stop.atOnce.aborted) kill();
    else this.stop.atOnce.addEventListener('abort', kill, { once: true });
    await ended;
    this.stop.atOnce.removeEventListener('abort', kill);
  }

  private begin(): void {
    const begun = performance.now();
    const [, script = ''] = process.argv;
    const { what, args, settings } = this.options;
    const given = process.execArgv;
    const execArgv = [...given, ...followerOptions.filter((each) => !given.includes(each))];
    const child = fork(script, args, { env: environmentWith(settings), execArgv });
    this.child = child;
    child.on('error', (error) => {
      this.log.error({ err: error }, `${what} cannot be reached`);
      if (child.pid === undefined) this.ended('was not started', begun);
    });
    child.on('exit', (code, signal) =>
      this.ended(signal ? `was ended by ${signal}` : `ended with code ${code}`, begun),
    );
  }

  private ended(how: string, begun: number): void {
    this.child = undefined;
    this.whenEnded();
    if (this.ending) return;
    if (performance.now() - begun >= SOUND_MS) this.pauses.reset();
    const milliseconds = Math.round(this.pauses.next());
    this.log.error({ milliseconds }, `${this.options.what} ${how}: it is started again`);
    this.timer = setTimeout(() => this.begin(), milliseconds);
  }
}

/** Of the pool: a follower takes as many connections as its streams and ranges need. */
const databaseOf = (url: string) => ({ DATABASE_URL: url, DATABASE_POOL: '1', MIGRATE: 'off' });

/**
 * Starts the follower if the settings name a node: a process of its own, because decoding blocks would keep
 * the event loop from serving.
 *
 * @param databaseUrl of the database that is open, the embedded one too
 * @returns what ends it
 */
export function startFollower(
  { FOLLOW }: Pick<Config, 'FOLLOW'>,
  databaseUrl: string,
  log: Logger,
  stop: Stop,
): () => Promise<void> {
  if (FOLLOW.length === 0) return () => Promise.resolve();
  const args = ['follow', '--process', 'follower'];
  const child = new FollowChild({ what: 'the follower', args, settings: databaseOf(databaseUrl) }, log, stop);
  return () => child.end();
}

/**
 * Starts the other processes that read the past.
 *
 * @param settings those of the command's options
 * @param processes how many read it, this one included
 * @param databaseUrl as `startFollower`
 * @returns what ends them
 */
export function startPastReaders(
  settings: ChildOptions['settings'],
  processes: number,
  databaseUrl: string,
  log: Logger,
  stop: Stop,
): () => Promise<void> {
  const children = Array.from({ length: processes - 1 }, (_, index) => {
    const slot = index + 1;
    const args = ['follow', '--process', `past-${slot}`];
    const own = { ...settings, ...databaseOf(databaseUrl) };
    return new FollowChild({ what: `process ${slot} of the past`, args, settings: own }, log, stop);
  });
  return async () => {
    await Promise.all(children.map((child) => child.end()));
  };
}
