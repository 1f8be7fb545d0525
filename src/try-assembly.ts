import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { openAccessControl } from './access/access-control.js';
import { assembleApps } from './app.js';
import { ConfigError, type Config } from './config.js';
import { PackageError } from './package.js';
import { createTokenCodec } from './paging/token.js';
import type { MetadataJobs } from './resources/nft/start-jobs.js';
import { WebhookSecrets } from './resources/webhook/secret.js';
import { storageOn } from './storage/open.js';
import { openTracing } from './telemetry/tracing.js';

/** Without a server: nothing is read from it. */
const nowhere = {
  connection: {},
  entrance: {},
  description: 'no database',
  url: '',
  follows: false,
  leave: () => Promise.resolve(),
};

const refuse = () => Promise.reject(new Error('there is no database'));
const noJobs: MetadataJobs = {
  checkRpc: refuse,
  enqueue: refuse,
  stop: () => Promise.resolve(),
  wake: () => undefined,
};

/**
 * Assembles everything that a gateway with these settings serves, without a database, and discards it:
 * schema, documents, routes and pages.
 *
 * @throws ConfigError for settings that do not fit; PackageError that says what cannot be assembled
 */
export async function tryAssembly(config: Config, log: Logger): Promise<void> {
  const alone = { ...config, REDIS_URL: undefined, READ_DATABASE_URLS: [] };
  const storage = storageOn(nowhere, alone, log);
  const closed: (() => Promise<unknown>)[] = [() => storage.close()];
  try {
    const now = Date.now;
    const accessControl = await openAccessControl(alone, storage.prisma, { log, now });
    closed.unshift(() => accessControl.close());
    const tracing = await openTracing(alone, log);
    closed.unshift(async () => tracing?.close());
    const tokens = createTokenCodec(randomBytes(32), 'no installation', now);
    const services = {
      config: alone,
      log,
      storage,
      accessControl,
      tokens,
      metadataJobs: noJobs,
      webhooks: {
        secrets: new WebhookSecrets(storage.prisma, randomBytes(32)),
        attempts: { sent: 0, failed: 0, set_aside: 0 },
        checkUrl: refuse,
        wake: () => undefined,
        stop: () => Promise.resolve(),
      },
      now,
      tracing,
    };
    const { all } = await assembleApps(services);
    for (const app of all) closed.unshift(() => app.close());
    for (const app of all) await app.ready();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new PackageError(
      `This installation cannot start, so the database was not changed: ${error instanceof Error ? error.stack : String(error)}`,
      { cause: error },
    );
  } finally {
    for (const close of closed) await close();
  }
}
