import type { Logger } from 'pino';
import { openAccessControl, type AccessControl } from './access/access-control.js';
import { closing } from './closing.js';
import type { Config } from './config.js';
import type { Siblings } from './cluster/siblings.js';
import type { Services } from './graphql/context.js';
import { openDatabase } from './open-database.js';
import { createTokenCodec } from './paging/token.js';
import { type MetadataJobs, startMetadataJobs } from './resources/nft/start-jobs.js';
import { startWebhooks, type Webhooks } from './resources/webhook/start-jobs.js';
import { neverStopped, unlessAborted, type Stop } from './stop.js';
import { loadInstallation } from './storage/installation.js';
import { learnIdentities } from './storage/identities.js';
import { makeLateIndexes } from './storage/late-indexes.js';
import { openTracing, type Tracing } from './telemetry/tracing.js';

/** The open parts of a gateway. Neither way of closing throws: errors are logged. */
export interface OpenServices {
  services: Services;
  /** Aborts running jobs and returns them to the queue; before `close`. */
  stopJobs: () => Promise<void>;
  /** Once no request is in flight: writes the last use of keys, sends traces, closes the database. */
  close: () => Promise<void>;
}

/**
 * Opens the database and the parts that use it.
 *
 * @param siblings the other processes of the gateway; absent if there are none
 * @throws StorageError when the database cannot be used; Stopped when it was stopped meanwhile, and
 *   everything that was begun is closed
 */
export async function openServices(
  config: Config,
  log: Logger,
  stop: Stop = neverStopped,
  siblings?: Siblings,
): Promise<OpenServices> {
  const storage = await openDatabase(config, log, stop);
  const step = closing(stop, log);
  let jobs: MetadataJobs | undefined;
  let webhooks: Webhooks | undefined;
  let accessControl: AccessControl | undefined;
  let tracing: Tracing | undefined;
  const endLearning = learnIdentities(storage, log);
  const stopJobs = () =>
    step('returning jobs to the queue', () => Promise.all([jobs?.stop(), webhooks?.stop()]));
  const close = async () => {
    endLearning();
    await step('storing the last use of keys', async () => accessControl?.close());
    await step('sending traces', async () => tracing?.close());
    await storage.close();
  };
  try {
    const { id, secret } = await unlessAborted(stop.asked, loadInstallation(storage.prisma));
    // From here on no import drops indexes; one may have since the database was opened.
    if (config.MIGRATE === 'auto')
      await unlessAborted(
        stop.asked,
        storage.session((session) => makeLateIndexes(session)),
      );
    const now = Date.now;
    const tokens = createTokenCodec(secret, id, now);
    tracing = await openTracing(config, log);
    // Not abandoned half-way, because what it has begun could not be stopped then.
    jobs = await unlessAborted(stop.atOnce, startMetadataJobs(config, storage, log, { tracing }));
    webhooks = await unlessAborted(stop.atOnce, startWebhooks(config, storage, log));
    accessControl = await openAccessControl(config, storage.prisma, { log, now, counts: siblings?.counts });
    const services = {
      config,
      log,
      storage,
      accessControl,
      tokens,
      metadataJobs: jobs,
      webhooks,
      now,
      siblings,
      tracing,
    };
    return { services, stopJobs, close };
  } catch (error) {
    await stopJobs();
    await close();
    throw error;
  }
}
