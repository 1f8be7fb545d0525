import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import {
  connect,
  defaultTimes,
  type JobTimes,
  type MetadataJob,
  onConnection,
  onPool,
  queues,
  startChecked,
} from './queue.js';

/** One run of a job. It ends by `complete` or `retry`, within the transaction that stores what came of it. */
export interface Run {
  job: MetadataJob;
  /** No repetition follows this run. */
  last: boolean;
  complete: (client: pg.ClientBase) => Promise<void>;
  /** Has the job run again after a while; the last run's job counts as lost. */
  retry: (client: pg.ClientBase) => Promise<void>;
}

export interface JobHandlers {
  /** Does a job. `signal` says that the worker stops; a run that took too long must end by itself. */
  run: (run: Run, signal: AbortSignal) => Promise<void>;
  /** A job was lost with its process every time it ran. */
  lost: (job: MetadataJob) => Promise<void>;
}

export interface Worker {
  /** Looks for work now, for example because this process has just added some. */
  wake: () => void;
  /** Takes no more jobs, has the running ones give up, and waits for them. */
  stop: () => Promise<void>;
}

export interface WorkerOptions {
  times?: JobTimes;
  /** Jobs that run side by side. */
  concurrency?: number;
}

/**
 * Starts taking jobs from the queue.
 *
 * pg-boss hands out, repeats and buries jobs; the loop that asks for them is ours, because pg-boss's own does not
 * wait for its writes (a database that is away at that moment ends the process) and cannot end a job in the
 * transaction that stores its result.
 *
 * @throws StorageError when the queue's tables are missing or of another version
 */
export async function startWorker(
  pool: pg.Pool,
  log: Logger,
  handlers: JobHandlers,
  { times = defaultTimes, concurrency = 4 }: WorkerOptions = {},
): Promise<Worker> {
  const boss = connect(onPool(pool), log, { supervise: true, maintenanceIntervalSeconds: times.maintenance });
  await startChecked(boss);
  const stopping = new AbortController();
  let pause = new AbortController();
  const wake = () => {
    pause.abort();
    pause = new AbortController();
  };

  async function take(queue: string, handle: (job: PgBoss.JobWithMetadata<MetadataJob>) => Promise<void>) {
    while (!stopping.signal.aborted) {
      const [job] = await boss.fetch<MetadataJob>(queue, { includeMetadata: true });
      if (job)
        await handle(job).catch((error: unknown) => log.error({ err: error, job: job.data }, 'a job broke'));
      else if (!stopping.signal.aborted) {
        await sleep(times.poll * 1000, undefined, { signal: pause.signal }).catch(() => {});
      }
    }
  }

  async function runOne(job: PgBoss.JobWithMetadata<MetadataJob>): Promise<void> {
    const run: Run = {
      job: job.data,
      last: job.retryCount >= job.retryLimit,
      complete: (client) => boss.complete(queues.metadata, job.id, {}, { db: onConnection(client) }),
      retry: (client) => boss.fail(queues.metadata, job.id, {}, { db: onConnection(client) }),
    };
    try {
      await handlers.run(run, stopping.signal);
    } catch (error) {
      await boss.fail(queues.metadata, job.id, {}).catch(() => {});
      throw error;
    }
  }

  async function buryOne(job: PgBoss.JobWithMetadata<MetadataJob>): Promise<void> {
    await handlers.lost(job.data);
    await boss.complete(queues.lost, job.id);
  }

  const loops = [
    ...Array.from({ length: concurrency }, () => take(queues.metadata, runOne)),
    take(queues.lost, buryOne),
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
