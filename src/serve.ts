import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { openAccessControl, type AccessControl } from './access/access-control.js';
import { buildApp, buildMeasures } from './app.js';
import type { Config } from './config.js';
import type { Services } from './graphql/context.js';
import { openDatabase } from './open-database.js';
import { createTokenCodec } from './paging/token.js';
import { loadInstallation } from './storage/installation.js';
import { type RunningJobs, startMetadataJobs } from './worker.js';

/** A gateway that listens. */
export interface RunningServer {
  /** Where clients reach it, without a slash at the end. */
  url: string;
  /** Where clients reach the /v2 paths: the same without METRICS_PORT. */
  metricsUrl: string;
  services: Services;
  /** Finishes what it is answering, has running jobs give up, then closes the database. */
  stop: () => Promise<void>;
}

/** What runs after the database is open and before the server listens. */
export type Prepare = (services: Services) => Promise<void>;

/**
 * Opens the database and listens.
 *
 * @throws StorageError when the database cannot be used; an error with code EADDRINUSE when the port is taken
 */
export async function startServer(config: Config, log: Logger, prepare?: Prepare): Promise<RunningServer> {
  const storage = await openDatabase(config, log);
  let jobs: RunningJobs | undefined;
  let accessControl: AccessControl | undefined;
  const close = async () => {
    await jobs?.stop();
    await accessControl?.close();
    await storage.close();
  };
  try {
    const { id, secret } = await loadInstallation(storage.pool);
    const now = Date.now;
    const tokens = createTokenCodec(secret, id, now);
    jobs = await startMetadataJobs(config, storage, log);
    accessControl = openAccessControl(config, storage.prisma, { log, now });
    const services: Services = { config, log, storage, accessControl, tokens, metadataJobs: jobs, now };
    await prepare?.(services);
    const measures = config.PROMETHEUS_PORT === undefined ? undefined : await buildMeasures(services);
    const app = await buildApp(services, 'everything', measures);
    const metricsApp = config.METRICS_PORT === undefined ? undefined : await buildApp(services, 'metrics');
    const closeApps = () => Promise.all([app.close(), metricsApp?.close(), measures?.close()]);
    const [url, metricsUrl] = await Promise.all([
      listen(app, config, config.PORT),
      metricsApp && listen(metricsApp, config, config.METRICS_PORT ?? 0),
      measures && listen(measures, config, config.PROMETHEUS_PORT ?? 0),
    ]).catch(async (error: unknown) => {
      await closeApps();
      throw error;
    });
    return {
      url: config.PUBLIC_URL ?? url,
      metricsUrl: config.METRICS_URL ?? metricsUrl ?? config.PUBLIC_URL ?? url,
      services,
      async stop() {
        await closeApps();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listen(app: FastifyInstance, { HOST }: Config, port: number): Promise<string> {
  await app.listen({ host: HOST, port });
  const address = app.server.address() as AddressInfo;
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${address.port}`;
}
