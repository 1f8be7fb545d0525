import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { MetadataJobs } from './jobs/metadata/jobs.js';
import { createRpcCheck } from './jobs/metadata/rpc-check.js';
import { metadataSources } from './jobs/metadata/sources.js';
import { type JobTimes, openQueue } from './jobs/queue.js';
import { startWorker } from './jobs/worker.js';
import { openDatabase } from './open-database.js';
import { findChain } from './resources/nft/chain.js';
import { metadataJobHandlers } from './resources/nft/job.js';
import { closing } from './closing.js';
import { neverStopped, unlessAborted, type Stop } from './stop.js';
import type { Storage } from './storage/open.js';

/** The metadata jobs of a process. */
export interface RunningJobs extends MetadataJobs {
  /** Has running jobs give up so that others can take them; before the database is closed. */
  stop: () => Promise<void>;
}

/**
 * Opens the queue of metadata jobs and, unless WORKER=off, starts to do them.
 *
 * @throws StorageError when the queue's tables are missing or of another version
 */
export async function startMetadataJobs(
  config: Config,
  storage: Storage,
  log: Logger,
  times?: JobTimes,
): Promise<RunningJobs> {
  const sources = metadataSources(config, async (evmChainId) => {
    const chain = await findChain({ config, storage }, { evmChainId: evmChainId.toString() });
    return chain?.rpcUrl ?? null;
  });
  const { pool } = storage;
  const queue = await openQueue(pool, log, times);
  const worker = config.WORKER
    ? await startWorker(pool, log, metadataJobHandlers({ pool, sources, log, times }), { times })
    : null;
  return {
    checkRpc: createRpcCheck(sources, log, Date.now),
    enqueue: queue.enqueue,
    wake: () => worker?.wake(),
    async stop() {
      await worker?.stop();
      await queue.stop();
    },
  };
}

/**
 * A process that does metadata jobs and serves nothing: `moraine worker`.
 *
 * @throws StorageError when the database cannot be used; Stopped when the stop was asked for meanwhile
 */
export async function startWorkerProcess(
  config: Config,
  log: Logger,
  stop: Stop = neverStopped,
): Promise<{ stop: () => Promise<void> }> {
  const storage = await openDatabase(config, log, stop);
  const step = closing(stop, log);
  try {
    const starting = startMetadataJobs({ ...config, WORKER: true }, storage, log);
    const jobs = await unlessAborted(stop.atOnce, starting);
    log.info(`doing NFT metadata jobs of ${storage.description}`);
    return {
      async stop() {
        await step('handing jobs back', jobs.stop);
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
