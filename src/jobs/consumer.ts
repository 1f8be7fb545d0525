import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { Storage } from '../storage/open.js';
import type { Transaction } from '../storage/prisma.js';
import { JobLoops, TroubleLog } from './job-loops.js';
import { connect, defaultTimes, onStorage, onTransaction, startChecked } from './queue.js';
import type { Job, JobTimes, QueueNames } from './queue.js';

/** One run of a job. It ends with `complete` or `retry`, within the transaction that stores its result. */
export interface Run<J extends Job> {
  job: J;
  last: boolean;
  complete: (transaction: Transaction) => Promise<void>;
  /** Makes the job run again after a while; after the last run the job counts as lost. */
  retry: (transaction: Transaction) => Promise<void>;
}

export interface JobHandlers<J extends Job> {
  /** Does a job. `signal`: the process takes no more jobs; a run that takes too long must end by itself. */
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
 * pg-boss hands out, repeats and buries jobs. The loop that fetches them is ours, because pg-boss's own does
 * not await its writes (a database that is down at that moment ends the process) and cannot end a job in the
 * transaction that stores its result.
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
  const loops = new JobLoops(boss, storage, times, new TroubleLog(log, queue.jobs));
  const run = Array.from({ length: concurrency }, () =>
    loops.start<J>(queue.name, (job) => runJob(boss, queue, handlers, job, loops.stopping)),
  );
  const bury = loops.start<J>(queue.lost, async (job) => {
    await handlers.lost(job.data);
    await boss.complete(queue.lost, job.id);
  });
  return {
    wake: () => loops.wake(),
    async stop() {
      loops.stop();
      await Promise.all([...run, bury]);
      await boss.stop({ graceful: false });
    },
  };
}

async function runJob<J extends Job>(
  boss: PgBoss,
  queue: QueueNames,
  handlers: JobHandlers<J>,
  job: PgBoss.JobWithMetadata<J>,
  stopping: AbortSignal,
): Promise<void> {
  const run: Run<J> = {
    job: job.data,
    last: job.retryCount >= job.retryLimit,
    complete: (transaction) => boss.complete(queue.name, job.id, {}, { db: onTransaction(transaction) }),
    retry: (transaction) => boss.fail(queue.name, job.id, {}, { db: onTransaction(transaction) }),
  };
  try {
    await handlers.run(run, stopping);
  } catch (error) {
    await boss.fail(queue.name, job.id, {}).catch(() => {});
    throw error;
  }
}
