import type { Config } from '../config.js';
import { loadSampleOnce, wantsSample } from '../load-sample.js';
import { startServer } from '../serve.js';
import { aborted, type Stop } from '../stop.js';
import { startFollower } from './follow-child.js';
import { openLog } from '../telemetry/log.js';

/** `moraine serve`: loads the sample into an empty database, listens, and stops when it is asked to. */
export async function serveCommand(config: Config, stop: Stop): Promise<void> {
  const log = openLog(config);
  const server = await startServer(config, log, {
    stop,
    prepare: async ({ storage }) => {
      if (wantsSample(config)) await loadSampleOnce(storage, log);
    },
    companion: ({ storage }) => startFollower(config, storage.url, log, stop),
  });
  greet(server.services.storage.description, server.url);
  await aborted(stop.asked);
  log.info('stopping: requests that are being answered are finished');
  await server.stop();
  log.info('stopped');
}

/** Tells the person who started it what is served, and where. */
export function greet(what: string, url: string): void {
  const links = ['/', '/graphql', '/docs'].map((path) => `  ${url}${path}\n`);
  process.stdout.write(`Moraine serves ${what}\n${links.join('')}`);
}
