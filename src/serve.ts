import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { openAccessControl, type AccessControl } from './access/access-control.js';
import { buildApp } from './app.js';
import type { Config } from './config.js';
import type { Services } from './graphql/context.js';
import { createTokenCodec } from './paging/token.js';
import { loadInstallation } from './storage/installation.js';
import { openStorage } from './storage/open.js';

/** A gateway that listens. */
export interface RunningServer {
  /** Where clients reach it, without a slash at the end. */
  url: string;
  services: Services;
  /** Finishes what it is answering, then closes the database. */
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
  const storage = await openStorage(config, log);
  let accessControl: AccessControl | undefined;
  try {
    const { id, secret } = await loadInstallation(storage.pool);
    const now = Date.now;
    const tokens = createTokenCodec(secret, id, now);
    const control = (accessControl = openAccessControl(config, storage.prisma, { log, now }));
    const services: Services = { config, log, storage, accessControl, tokens, now };
    await prepare?.(services);
    const app = await buildApp(services);
    await app.listen({ host: config.HOST, port: config.PORT });
    const { port } = app.server.address() as AddressInfo;
    const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
    return {
      url: config.PUBLIC_URL ?? `http://${host}:${port}`,
      services,
      async stop() {
        await app.close();
        await control.close();
        await storage.close();
      },
    };
  } catch (error) {
    await accessControl?.close();
    await storage.close();
    throw error;
  }
}
