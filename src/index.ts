import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { loadConfig, misspeltSettings, misspeltWarning } from './config.js';
import { checkGraphql } from './package.js';
import { openLog } from './telemetry/log.js';

/**
 * The gateway for programs that embed it: does everything that `moraine serve` does before it listens, and
 * returns the Fastify app, for its `listen`, `inject` and `close`. Closing answers the requests in flight,
 * returns jobs to the queue and closes the database. Only the caller closes it: it handles no signals.
 *
 * @param settings as `moraine config` lists them, by name; absent: the environment. HOST, PORT, METRICS_PORT,
 * PROMETHEUS_PORT and PROCESSES have no effect, because nothing listens: all paths belong to this app
 * @param log absent: to standard output, from LOG_LEVEL on, as LOG_FORMAT says
 * @throws an error whose message names each wrong setting, or says why the database or this installation
 *   cannot be used
 */
export async function buildApp(
  settings?: Readonly<Record<string, string | undefined>>,
  log?: Logger,
): Promise<FastifyInstance> {
  const config = loadConfig(settings);
  const logger = log ?? openLog(config);
  for (const each of misspeltSettings(settings)) logger.warn(misspeltWarning(each));
  checkGraphql();
  // Imported only now, because an unfit graphql would fail on import.
  const { embed } = await import('./embed.js');
  return embed(config, logger);
}
