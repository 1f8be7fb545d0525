import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { startConsumer } from '../../jobs/consumer.js';
import { type JobTimes, openQueue, type Queue } from '../../jobs/queue.js';
import type { Storage } from '../../storage/open.js';
import type { Tracing } from '../../telemetry/tracing.js';
import { findChains } from '../chain/list.js';
import { metadataJobHandlers } from './job.js';
import { createRpcCheck, type RpcCheck } from './metadata/rpc-check.js';
import { metadataSources } from './metadata/sources.js';
import { metadataQueue } from './queue.js';

/** The metadata jobs of a process. */
export interface MetadataJobs {
  checkRpc: RpcCheck;
  enqueue: Queue['enqueue'];
  /** If this process does jobs, it looks for work now. */
  wake: () => void;
  /** Aborts running jobs so that other processes can take them; before the database is closed. */
  stop: () => Promise<void>;
}

declare module '../../graphql/context.js' {
  interface Services {
    metadataJobs: MetadataJobs;
  }
}

export interface MetadataJobOptions {
  times?: JobTimes | undefined;
  /** Set while traces are exported; whoever opened it closes it, after the jobs have stopped. */
  tracing?: Tracing | undefined;
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
  { times, tracing }: MetadataJobOptions = {},
): Promise<MetadataJobs> {
  const importedRpcUrl = async (evmChainId: bigint) => {
    const [chain] = await findChains(storage, [{ evmChainId: evmChainId.toString() }]);
    return chain?.rpcUrl || null;
  };
  const sources = metadataSources(config, importedRpcUrl, tracing);
  const queue = await openQueue(storage, log, metadataQueue, times);
  const handlers = metadataJobHandlers({ storage, sources, log, times, tracing });
  const consumer = config.WORKER
    ? await startConsumer(storage, log, metadataQueue, handlers, { times })
    : null;
  return {
    checkRpc: createRpcCheck(sources, log, Date.now),
    enqueue: queue.enqueue,
    wake: () => consumer?.wake(),
    async stop() {
      await consumer?.stop();
      await queue.stop();
    },
  };
}
