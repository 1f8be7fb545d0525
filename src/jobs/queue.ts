import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../storage/session.js';
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { StorageError } from '../storage/errors.js';
import type { Transaction } from '../storage/prisma.js';
import type { Storage } from '../storage/open.js';

/** How long things may take, in seconds, and how often they are tried. */
export interface JobTimes {
  /** A job that runs longer is aborted. */
  run: number;
  /** A job that began this long ago and has not ended was lost with its process; more than `run`. */
  lost: number;
  /** How often to look for lost jobs. */
  maintenance: number;
  /** How often a worker without work looks for some. */
  poll: number;
  /** Wait before the first repetition; it roughly doubles with each. */
  retryDelay: number;
  retries: number;
}

export const defaultTimes: JobTimes = {
  run: 60,
  lost: 90,
  maintenance: 30,
  poll: 2,
  retryDelay: 5,
  retries: 4,
};

/** A queue, and the queue for its jobs that were lost with their process every time. */
export interface QueueNames {
  name: string;
  lost: string;
  /** The name of its jobs in messages, in the plural. */
  jobs: string;
}

/** What every job has; the rest, JSON too, depends on who adds and does it. */
export interface Job {
  /** The job's own id, so that it is known in the queue of lost jobs too. */
  jobId: string;
}

export interface Queue {
  /**
   * Adds a job as part of the caller's transaction: it exists only once that commits.
   *
   * @param afterSeconds how long it waits
   */
  enqueue: (transaction: Transaction, job: Job, afterSeconds?: number) => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Creates the queues, and creates or upgrades their tables (schema `pgboss`), which pg-boss maintains, not
 * our migrations. Part of migrating: not called with MIGRATE=off.
 */
export async function installQueues(
  storage: Storage,
  log: Logger,
  queues: readonly QueueNames[],
): Promise<void> {
  await storage.session(async (client) => {
    // pg-boss creates its queues without a lock, and two processes that do so deadlock. Polled, because a
    // waiting lock would delay a CREATE INDEX CONCURRENTLY.
    while (!(await tryLock(client))) await sleep(200);
    const boss = connect(onConnection(client), log, { migrate: true });
    await boss.start();
    for (const { name, lost } of queues) {
      await boss.createQueue(lost);
      await boss.createQueue(name);
    }
    await boss.stop({ graceful: false });
  });
}

// Any number that no other part of Moraine locks.
const installLock = 0x6d6f7261;

async function tryLock(client: Connection): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    installLock,
  ]);
  return rows[0]!.locked;
}

/**
 * Opens a queue to add jobs.
 *
 * @throws StorageError when its tables are missing or of another version
 */
export async function openQueue(
  storage: Storage,
  log: Logger,
  { name, lost }: QueueNames,
  times: JobTimes = defaultTimes,
): Promise<Queue> {
  const boss = connect(onStorage(storage), log);
  await startChecked(boss);
  return {
    enqueue: async (transaction, job, afterSeconds = 0) => {
      const id = await boss.send(name, job, {
        id: job.jobId,
        db: onTransaction(transaction),
        deadLetter: lost,
        expireInSeconds: times.lost,
        retryLimit: times.retries,
        retryDelay: times.retryDelay,
        retryBackoff: true,
        ...(afterSeconds > 0 && { startAfter: afterSeconds }),
      });
      if (id === null) throw new Error(`the queue ${name} does not exist`);
    },
    stop: () => boss.stop({ graceful: false }),
  };
}

/** pg-boss on our connections. It has no scheduled jobs, and looks for lost ones only on request. */
export function connect(db: PgBoss.Db, log: Logger, options: PgBoss.ConstructorOptions = {}): PgBoss {
  const boss = new PgBoss({ db, schedule: false, supervise: false, migrate: false, ...options });
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue failed'));
  return boss;
}

/** The database in the form that pg-boss needs: its maintenance sends BEGIN; …; COMMIT as one text. */
export function onStorage(storage: Pick<Storage, 'execute'>): PgBoss.Db {
  return { executeSql: (text: string, values: unknown[]) => storage.execute(text, values) };
}

/** A transaction in the form that pg-boss needs. */
export function onTransaction(transaction: Transaction): PgBoss.Db {
  return {
    async executeSql(text: string, values: unknown[]) {
      // The driver takes undefined for NULL and makes JSON of an object; Prisma does neither.
      const given = values.map((value) => (isRecord(value) ? JSON.stringify(value) : (value ?? null)));
      return { rows: await transaction.$queryRawUnsafe<object[]>(text, ...given) };
    },
  };
}

const isRecord = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A connection in the form that pg-boss needs. */
function onConnection(client: Connection): PgBoss.Db {
  return { executeSql: (text: string, values: unknown[]) => client.query<object>(text, values) };
}

/** Starts pg-boss; the error says what to do if its tables do not exist. */
export async function startChecked(boss: PgBoss): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    if (!/not installed|requires migrations/.test((error as Error).message)) throw error;
    const message = 'The tables of the job queue are missing or of another version: run `moraine migrate`.';
    throw new StorageError(message, { cause: error });
  }
}
