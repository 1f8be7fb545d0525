import { pino } from 'pino';
import type { Config } from '../config.js';
import { loadSampleOnce } from '../load-sample.js';
import { startServer } from '../serve.js';
import { aborted, type Stop } from '../stop.js';

/** `moraine serve`: loads the sample into an empty database, listens, and stops when it is asked to. */
export async function serveCommand(config: Config, stop: Stop): Promise<void> {
  const log = pino({ level: config.LOG_LEVEL });
  const server = await startServer(config, log, {
    stop,
    prepare: async ({ storage }) => {
      if (config.SAMPLE) await loadSampleOnce(storage, log);
    },
  });
  const links = ['/', '/graphql', '/docs'].map((path) => `  ${server.url}${path}\n`);
  process.stdout.write(`Moraine serves ${server.services.storage.description}\n${links.join('')}`);
  await aborted(stop.asked);
  log.info('stopping: what is being answered is finished');
  await server.stop();
  log.info('stopped');
}
