import type { FeedEntry } from './entry.js';
import { Pause } from './pause.js';

/** How often the feed is read where no notice arrives, milliseconds: a pooler passes none on. */
const LOOK_MS = 1000;
/** Entries that are read at once. */
export const READ = 32;
/** Entries that stay in memory for those who are behind. */
const KEPT = 32;

/** How a process reads the feed. */
export interface ReadingDeps {
  newest: () => Promise<number>;
  read: (after: number) => Promise<FeedEntry[]>;
  listen: (notified: () => void) => () => void;
  failed: (error: unknown) => void;
}

/** Reads new entries until it is ended, and keeps the newest. */
export class Reading {
  /** All entries with larger numbers are in `entries`. */
  oldest = 0;
  newest = 0;
  readonly begun: Promise<void>;
  private entries: FeedEntry[] = [];
  private hasEnded = false;
  private readonly waiting = new Set<() => void>();
  private readonly pause = new Pause();
  private readonly unlisten: () => void;

  constructor(private readonly deps: ReadingDeps) {
    this.unlisten = deps.listen(() => this.pause.wake());
    this.begun = deps.newest().then((newest) => {
      this.oldest = this.newest = newest;
      void this.run();
    });
    this.begun.catch(() => this.unlisten());
  }

  /** Resolves when there may be more entries. */
  more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  after(entry: number): readonly FeedEntry[] {
    return this.entries.filter(({ id }) => id > entry);
  }

  end(): void {
    this.hasEnded = true;
    this.unlisten();
    this.pause.wake();
  }

  private async run(): Promise<void> {
    while (!this.hasEnded) {
      this.pause.forget();
      const found = await this.deps.read(this.newest).catch((error: unknown) => {
        this.deps.failed(error);
        return [];
      });
      this.take(found);
      if (found.length < READ) await this.pause.take(LOOK_MS);
    }
  }

  private take(found: readonly FeedEntry[]): void {
    const last = found.at(-1);
    if (!last) return;
    this.newest = last.id;
    this.entries.push(...found);
    const gone = this.entries.splice(0, Math.max(0, this.entries.length - KEPT));
    this.oldest = gone.at(-1)?.id ?? this.oldest;
    for (const done of [...this.waiting]) done();
  }
}
