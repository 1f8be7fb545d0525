import { pino } from 'pino';
import type { Config } from '../config.js';
import { aborted, type Stop } from '../stop.js';
import { startWorkerProcess } from '../worker.js';

/** `moraine worker`: does NFT metadata jobs until it is asked to end. */
export async function workerCommand(config: Config, stop: Stop): Promise<void> {
  const log = pino({ level: config.LOG_LEVEL });
  const worker = await startWorkerProcess(config, log, stop);
  await aborted(stop.asked);
  log.info('stopping: jobs under way are handed back');
  await worker.stop();
  log.info('stopped');
}
