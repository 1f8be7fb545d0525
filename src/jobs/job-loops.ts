import { setTimeout as sleep } from 'node:timers/promises';
import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { isUnavailable } from '../storage/errors.js';
import type { Storage } from '../storage/open.js';
import { type Job, type JobTimes, onStorage } from './queue.js';

/** Longest pause of a loop after failures, seconds. */
const LONGEST_PAUSE = 30;

/** Loops that fetch jobs and handle them one after another, until all are stopped. */
export class JobLoops {
  private readonly stopped = new AbortController();
  private pause = new AbortController();

  constructor(
    private readonly boss: PgBoss,
    private readonly storage: Storage,
    private readonly times: JobTimes,
    private readonly trouble: TroubleLog,
  ) {}

  get stopping(): AbortSignal {
    return this.stopped.signal;
  }

  /** Ends the pauses of loops that found no job. */
  wake(): void {
    this.pause.abort();
    this.pause = new AbortController();
  }

  stop(): void {
    this.stopped.abort();
    this.wake();
  }

  /** Runs a loop; resolves when it has stopped. */
  async start<J extends Job>(
    queue: string,
    handle: (job: PgBoss.JobWithMetadata<J>) => Promise<void>,
  ): Promise<void> {
    const db = rememberingFailure(onStorage(this.storage));
    let failures = 0;
    while (!this.stopping.aborted) {
      const [job] = await this.boss.fetch<J>(queue, { includeMetadata: true, db });
      let failure = db.takeFailure();
      if (job) await handle(job).catch((error: unknown) => (failure = { error, job: job.data }));
      if (failure) {
        // Without a pause a fault that affects all jobs would use up the repetitions of all of them at once.
        failures += 1;
        this.trouble.tell(failure);
        await this.sleep(Math.min(this.times.poll * 2 ** (failures - 1), LONGEST_PAUSE), this.stopping);
      } else {
        failures = 0;
        if (job) this.trouble.over();
        else await this.sleep(this.times.poll, this.pause.signal);
      }
    }
  }

  private async sleep(seconds: number, signal: AbortSignal): Promise<void> {
    if (!this.stopping.aborted) await sleep(seconds * 1000, undefined, { signal }).catch(() => {});
  }
}

interface Failure {
  error: unknown;
  job?: Job;
}

/** pg-boss does not report that fetching a job failed; this does. */
function rememberingFailure(db: PgBoss.Db): PgBoss.Db & { takeFailure: () => Failure | undefined } {
  let failure: Failure | undefined;
  return {
    async executeSql(text, values) {
      try {
        return await db.executeSql(text, values);
      } catch (error) {
        failure = { error };
        throw error;
      }
    },
    takeFailure() {
      const taken = failure;
      failure = undefined;
      return taken;
    },
  };
}

/** Logs faults of jobs one by one, and trouble with the database once, however many loops meet it. */
export class TroubleLog {
  private reported = false;

  constructor(
    private readonly log: Logger,
    private readonly jobs: string,
  ) {}

  tell({ error, job }: Failure): void {
    if (job && !isUnavailable(error)) this.log.error({ err: error, job }, 'a job failed');
    else if (!this.reported) {
      this.reported = true;
      this.log.error({ err: error }, `the database cannot be used for ${this.jobs}: trying again`);
    }
  }

  over(): void {
    if (this.reported) this.log.info(`${this.jobs} are processed again`);
    this.reported = false;
  }
}
