import { setTimeout as sleep } from 'node:timers/promises';
import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { isUnavailable } from '../storage/errors.js';
import type { Storage } from '../storage/open.js';
import type { Transaction } from '../storage/prisma.js';
import {
  connect,
  defaultTimes,
  type Job,
  type JobTimes,
  onStorage,
  onTransaction,
  type QueueNames,
  startChecked,
} from './queue.js';

/** Longest pause of a loop after failures, seconds. */
const LONGEST_REST = 30;

/** One run of a job. It ends with `complete` or `retry`, within the transaction that stores its result. */
export interface Run<J extends Job> {
  job: J;
  /** Whether this is the last run. */
  last: boolean;
  complete: (transaction: Transaction) => Promise<void>;
  /** Makes the job run again after a while; after the last run the job counts as lost. */
  retry: (transaction: Transaction) => Promise<void>;
}

export interface JobHandlers<J extends Job> {
  /** Does a job. `signal` says that the process takes no more jobs; a run that takes too long must end by itself. */
  run: (run: Run<J>, signal: AbortSignal) => Promise<void>;
  /** A job was lost with its process every time it ran. */
  lost: (job: J) => Promise<void>;
}

/** Takes jobs from a queue and runs them. */
export interface Consumer {
  /** Looks for work now, for example because this process has just added some. */
  wake: () => void;
  /** Takes no more jobs, aborts the running ones, and waits for them. */
  stop: () => Promise<void>;
}

export interface ConsumerOptions {
  times?: JobTimes;
  /** Jobs that run at the same time. */
  concurrency?: number;
}

/**
 * Starts taking jobs from a queue.
 *
 * pg-boss hands out, repeats and buries jobs. The loop that fetches them is ours, because pg-boss's own does not await
 * its writes (a database that is down at that moment ends the process) and cannot end a job in the transaction that
 * stores its result.
 *
 * @throws StorageError when the queue's tables are missing or of another version
 */
export async function startConsumer<J extends Job>(
  storage: Storage,
  log: Logger,
  queue: QueueNames,
  handlers: JobHandlers<J>,
  { times = defaultTimes, concurrency = 4 }: ConsumerOptions = {},
): Promise<Consumer> {
  if (await storage.isReadOnly()) {
    log.warn(`the database is read-only, perhaps a hot standby: this process runs no ${queue.jobs}`);
    return { wake: () => undefined, stop: () => Promise.resolve() };
  }
  const boss = connect(onStorage(storage), log, {
    supervise: true,
    maintenanceIntervalSeconds: times.maintenance,
  });
  await startChecked(boss);
  const stopping = new AbortController();
  let pause = new AbortController();
  const wake = () => {
    pause.abort();
    pause = new AbortController();
  };

  const rest = (seconds: number, signal: AbortSignal) =>
    stopping.signal.aborted
      ? Promise.resolve()
      : sleep(seconds * 1000, undefined, { signal }).catch(() => {});
  const trouble = new TroubleLog(log, queue.jobs);

  async function take(from: string, handle: (job: PgBoss.JobWithMetadata<J>) => Promise<void>) {
    const db = rememberingFailure(onStorage(storage));
    let failures = 0;
    while (!stopping.signal.aborted) {
      const [job] = await boss.fetch<J>(from, { includeMetadata: true, db });
      let failure = db.takeFailure();
      if (job) await handle(job).catch((error: unknown) => (failure = { error, job: job.data }));
      if (failure) {
        // Without a pause a fault that affects all jobs would use up the repetitions of all of them at once.
        failures += 1;
        trouble.tell(failure);
        await rest(Math.min(times.poll * 2 ** (failures - 1), LONGEST_REST), stopping.signal);
      } else {
        failures = 0;
        if (job) trouble.over();
        else await rest(times.poll, pause.signal);
      }
    }
  }

  async function runOne(job: PgBoss.JobWithMetadata<J>): Promise<void> {
    const run: Run<J> = {
      job: job.data,
      last: job.retryCount >= job.retryLimit,
      complete: (transaction) => boss.complete(queue.name, job.id, {}, { db: onTransaction(transaction) }),
      retry: (transaction) => boss.fail(queue.name, job.id, {}, { db: onTransaction(transaction) }),
    };
    try {
      await handlers.run(run, stopping.signal);
    } catch (error) {
      await boss.fail(queue.name, job.id, {}).catch(() => {});
      throw error;
    }
  }

  async function buryOne(job: PgBoss.JobWithMetadata<J>): Promise<void> {
    await handlers.lost(job.data);
    await boss.complete(queue.lost, job.id);
  }

  const loops = [
    ...Array.from({ length: concurrency }, () => take(queue.name, runOne)),
    take(queue.lost, buryOne),
  ];
  return {
    wake,
    stop: async () => {
      stopping.abort();
      wake();
      await Promise.all(loops);
      await boss.stop({ graceful: false });
    },
  };
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
class TroubleLog {
  private reported = false;

  constructor(
    private readonly log: Logger,
    private readonly jobs: string,
  ) {}

  tell({ error, job }: Failure): void {
    if (job && !isUnavailable(error)) this.log.error({ err: error, job }, 'a job failed');
    else if (!this.reported) {
      this.reported = true;
      this.log.error({ err: error }, `the database cannot be used for ${this.jobs}: this is tried again`);
    }
  }

  over(): void {
    if (this.reported) this.log.info(`${this.jobs} are processed again`);
    this.reported = false;
  }
}
