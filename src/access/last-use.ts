import type { Logger } from 'pino';
import { troubleOf } from '../storage/errors.js';
import type { Database } from '../storage/prisma.js';

const flushMs = 30_000;

/** Remembers when keys were last used and writes that at intervals, in one statement for all of them. */
export class LastUse {
  private used = new Map<number, number>();
  private dropping = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly database: Pick<Database, '$executeRaw'>,
    private readonly options: { log: Logger; now: () => number },
  ) {
    this.timer = setInterval(() => void this.flush(), flushMs);
    this.timer.unref();
  }

  note(id: number): void {
    this.used.set(id, this.options.now());
  }

  /** Writes what was noted and stops. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  // A hot standby cannot write it, now or later; another server of the installation may.
  private drop(): void {
    if (!this.dropping)
      this.options.log.warn('the last use of API keys is not stored: the database is read-only');
    this.dropping = true;
  }

  private async flush(): Promise<void> {
    const { used } = this;
    if (used.size === 0) return;
    this.used = new Map();
    const ids = [...used.keys()];
    const times = [...used.values()].map((time) => new Date(time).toISOString());
    try {
      // Another process may have noted a later use.
      await this.database.$executeRaw`
        UPDATE api_key SET last_used_at = greatest(last_used_at, noted.at)
        FROM unnest(${ids}::int[], ${times}::timestamptz[]) AS noted (id, at)
        WHERE api_key.id = noted.id`;
    } catch (error) {
      if (troubleOf(error) === 'read-only') return this.drop();
      this.options.log.warn(
        { err: error },
        'the last use of API keys could not be stored; this is tried again later',
      );
      this.used = new Map([...used, ...this.used]);
    }
  }
}
