import type { Logger } from 'pino';
import { closing } from '../closing.js';
import { pastPooler, type Config } from '../config.js';
import { openDatabase } from '../open-database.js';
import { startMetadataJobs } from '../resources/nft/start-jobs.js';
import { startWebhooks } from '../resources/webhook/start-jobs.js';
import { aborted, unlessAborted, type Stop } from '../stop.js';
import { openLog } from '../telemetry/log.js';
import { openTracing, type Tracing } from '../telemetry/tracing.js';

/**
 * `moraine worker`: does NFT metadata jobs, makes and sends events of webhooks, and serves nothing, until it
 * is stopped.
 */
export async function workerCommand(config: Config, stop: Stop): Promise<void> {
  const log = openLog(config);
  const worker = await startWorker(config, log, stop);
  await aborted(stop.asked);
  log.info('stopping: running jobs are returned to the queue');
  await worker.stop();
  log.info('stopped');
}

/** @throws StorageError when the database cannot be used; Stopped when it was stopped meanwhile */
async function startWorker(config: Config, log: Logger, stop: Stop): Promise<{ stop: () => Promise<void> }> {
  const storage = await openDatabase(pastPooler(config), log, stop);
  const step = closing(stop, log);
  let tracing: Tracing | undefined;
  const close = async () => {
    await step('sending traces', async () => tracing?.close());
    await storage.close();
  };
  try {
    tracing = await openTracing(config, log);
    const working = { ...config, WORKER: true };
    const jobs = await unlessAborted(stop.atOnce, startMetadataJobs(working, storage, log, { tracing }));
    const webhooks = await unlessAborted(stop.atOnce, startWebhooks(working, storage, log));
    log.info(`processing NFT metadata jobs, and sending events of webhooks, of ${storage.description}`);
    return {
      async stop() {
        await step('returning jobs to the queue', () => Promise.all([jobs.stop(), webhooks.stop()]));
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
