import { pino } from 'pino';
import type { Config } from '../config.js';
import { startWorkerProcess } from '../worker.js';

/** `moraine worker`: does NFT metadata jobs until SIGINT or SIGTERM. */
export async function workerCommand(config: Config): Promise<void> {
  const worker = await startWorkerProcess(config, pino({ level: config.LOG_LEVEL }));
  const stop = () => {
    process.exitCode ??= 0;
    void worker.stop();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}
