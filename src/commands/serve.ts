import { pino } from 'pino';
import type { Config } from '../config.js';
import { isEmpty, loadSample } from '../ingest/load-sample.js';
import { startServer } from '../serve.js';

/** `moraine serve`: loads the sample into an empty database, listens, and stops at SIGINT or SIGTERM. */
export async function serveCommand(config: Config): Promise<void> {
  const log = pino({ level: config.LOG_LEVEL });
  const server = await startServer(config, log, async ({ storage }) => {
    if (config.SAMPLE && (await isEmpty(storage))) await loadSample(storage, log);
  });
  const links = ['/', '/graphql', '/docs'].map((path) => `  ${server.url}${path}\n`);
  process.stdout.write(`Moraine serves ${server.services.storage.description}\n${links.join('')}`);
  const stop = () => {
    process.exitCode ??= 0;
    void server.stop();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}
