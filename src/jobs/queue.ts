import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { StorageError } from '../storage/errors.js';
import { withConnection } from '../storage/transaction.js';

/** How long things may take, in seconds, and how often they are tried. */
export interface JobTimes {
  /** A job that runs longer is given up. */
  run: number;
  /** A job begun this long ago and not ended was lost with its process; more than `run`. */
  lost: number;
  /** How often lost jobs are looked for. */
  maintenance: number;
  /** How often a worker without work looks for some. */
  poll: number;
  /** Wait before the first repetition; it doubles with each, give or take. */
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

/** The queue of metadata jobs, and the one to which jobs go that were lost with their process every time. */
export const queues = { metadata: 'nft-metadata', lost: 'nft-metadata-lost' } as const;

/** What a metadata job is about. Numbers as decimal text: JSON has no large ones. */
export interface MetadataJob {
  /** The job's own id, so that it is known in the queue of lost jobs too. */
  jobId: string;
  evmChainId: string;
  /** 0x and 40 hex digits. */
  address: string;
  tokenId: string;
}

export interface Queue {
  /** Adds a job as part of the caller's transaction: it exists when that commits, and only then. */
  enqueue: (client: pg.ClientBase, job: MetadataJob) => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Creates or upgrades the queue's tables (schema `pgboss`), which pg-boss keeps and no migration of ours. Part of
 * migrating: not called with MIGRATE=off.
 */
export async function installQueue(pool: pg.Pool, log: Logger): Promise<void> {
  await withConnection(pool, async (client) => {
    // pg-boss makes its queues without a lock, and two processes that do so deadlock. Polled, as a waiting lock would
    // hold up a CREATE INDEX CONCURRENTLY.
    while (!(await tryLock(client))) await sleep(200);
    const boss = connect(onConnection(client), log, { migrate: true });
    await boss.start();
    await boss.createQueue(queues.lost);
    await boss.createQueue(queues.metadata);
    await boss.stop({ graceful: false });
    await client.query('SELECT pg_advisory_unlock($1)', [installLock]);
  });
}

// Any number that no other part of Moraine locks.
const installLock = 0x6d6f7261;

async function tryLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    installLock,
  ]);
  return rows[0]!.locked;
}

/**
 * Opens the queue to add jobs.
 *
 * @throws StorageError when its tables are missing or of another version
 */
export async function openQueue(pool: pg.Pool, log: Logger, times: JobTimes = defaultTimes): Promise<Queue> {
  const boss = connect(onPool(pool), log);
  await startChecked(boss);
  return {
    enqueue: async (client, job) => {
      const id = await boss.send(queues.metadata, job, {
        id: job.jobId,
        db: onConnection(client),
        deadLetter: queues.lost,
        expireInSeconds: times.lost,
        retryLimit: times.retries,
        retryDelay: times.retryDelay,
        retryBackoff: true,
      });
      if (id === null) throw new Error(`the queue ${queues.metadata} does not exist`);
    },
    stop: () => boss.stop({ graceful: false }),
  };
}

/** pg-boss on our connections. It has no scheduled jobs, and looks for lost ones only where asked to. */
export function connect(db: PgBoss.Db, log: Logger, options: PgBoss.ConstructorOptions = {}): PgBoss {
  const boss = new PgBoss({ db, schedule: false, supervise: false, migrate: false, ...options });
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue failed'));
  return boss;
}

/** The pool as pg-boss takes it. */
export function onPool(pool: pg.Pool): PgBoss.Db {
  // Its maintenance sends BEGIN; …; COMMIT as one text. Where that fails the connection stays inside the transaction,
  // so it must not go back to the pool.
  return {
    executeSql: (text: string, values: unknown[]) =>
      withConnection(pool, (client) => onConnection(client).executeSql(text, values)),
  };
}

/** A connection as pg-boss takes it. */
export function onConnection(client: pg.ClientBase): PgBoss.Db {
  return { executeSql: (text: string, values: unknown[]) => client.query<object>(text, values) };
}

/** Starts pg-boss and says what to do where its tables are not there. */
export async function startChecked(boss: PgBoss): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    if (!/not installed|requires migrations/.test((error as Error).message)) throw error;
    const message = 'The tables of the job queue are missing or of another version: run `moraine migrate`.';
    throw new StorageError(message, { cause: error });
  }
}
