import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { assembleApps } from './app.js';
import { closing } from './closing.js';
import type { Siblings } from './cluster/siblings.js';
import type { Config } from './config.js';
import type { Services } from './graphql/context.js';
import { drain, giveWay } from './http/drain.js';
import { listen } from './http/listen.js';
import { CUT_MS } from './shield/load.js';
import { listenMore } from './http/more-listeners.js';
import { openServices } from './services.js';
import { neverStopped, unlessAborted, type Stop } from './stop.js';

/** Milliseconds that closing the servers may take after their remaining requests were cut off. */
const CLOSE_MS = 500;

/** A gateway that listens. */
export interface RunningServer {
  /** Where clients reach it, without a slash at the end. */
  url: string;
  /** Where clients reach the /v2 paths: the same without METRICS_PORT. */
  metricsUrl: string;
  services: Services;
  /**
   * Finishes the requests in flight, cuts off those that are not answered in 8 s, aborts running jobs, then
   * closes the database. It never throws: errors are logged.
   *
   * @param replaced another process serves on the same ports: new connections are left to it
   */
  stop: (replaced?: boolean) => Promise<void>;
}

export interface StartOptions {
  stop?: Stop;
  /** Runs after the database is open and before the server listens; abandoned when the process is stopped. */
  prepare?: (services: Services) => Promise<void>;
  /** The other processes of the gateway; absent if there are none. */
  siblings?: Siblings;
  /**
   * Starts something that uses the database too, once the server listens. @returns what ends it, before the
   * database closes
   */
  companion?: (services: Services) => () => Promise<void>;
}

/**
 * Opens the database and listens.
 *
 * @throws StorageError when the database cannot be used; ConfigError when HOST and PORT cannot be listened
 *   on; Stopped when it was stopped meanwhile, and everything that was begun is closed
 */
export async function startServer(
  config: Config,
  log: Logger,
  { stop = neverStopped, prepare, siblings, companion }: StartOptions = {},
): Promise<RunningServer> {
  const { services, stopJobs, close } = await openServices(config, log, stop, siblings);
  const step = closing(stop, log);
  try {
    if (prepare) await unlessAborted(stop.asked, prepare(services));
    const { app, metricsApp, measures, all: apps } = await assembleApps(services);
    stop.asked.throwIfAborted();
    const [url, metricsUrl] = await Promise.all([
      listen(app, config, 'PORT'),
      metricsApp && listen(metricsApp, config, 'METRICS_PORT'),
      measures && listen(measures, config, 'PROMETHEUS_PORT'),
    ]).catch(async (error: unknown) => {
      await closeApps(apps);
      throw error;
    });
    // The primary process accepts connections for the others, and does little else.
    const listeners = siblings ? [] : [app, metricsApp].map((each) => each && listenMore(each.server, log));
    const endCompanion = companion?.(services) ?? (() => Promise.resolve());
    return {
      url: config.PUBLIC_URL ?? url,
      metricsUrl: config.METRICS_URL ?? metricsUrl ?? config.PUBLIC_URL ?? url,
      services,
      async stop(replaced = false) {
        const loads = apps.map(({ load }) => load);
        const answer = async () => {
          await (replaced ? giveWay(apps) : drain(loads, config.SHUTDOWN_DELAY_MS));
          for (const close of listeners) close?.();
          await closeApps(apps);
        };
        await Promise.all([
          stopJobs(),
          endCompanion(),
          step('answering open requests', answer, CUT_MS + CLOSE_MS),
        ]);
        await close();
      },
    };
  } catch (error) {
    await stopJobs();
    await close();
    throw error;
  }
}

const closeApps = (apps: readonly FastifyInstance[]) => Promise.all(apps.map((app) => app.close()));
