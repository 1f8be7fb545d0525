import type { Logger } from 'pino';
import type { Config } from './config.js';
import { installQueues } from './jobs/queue.js';
import { metadataQueue } from './resources/nft/queue.js';
import { webhookQueue } from './resources/webhook/queue.js';
import { openStorage, type Storage } from './storage/open.js';
import { neverStopped, unlessAborted, type Stop } from './stop.js';

/**
 * Opens the database and, unless MIGRATE=off, migrates Moraine's tables. If a migration is missing the
 * gateway is first assembled, whatever the command: older versions refuse a database that was migrated, so
 * that a gateway which cannot serve would leave none that can.
 *
 * @throws PackageError for a gateway that cannot be assembled; StorageError with a message for the operator;
 *   Stopped when it was stopped meanwhile
 */
export function openMigrated(config: Config, log: Logger, stop: Stop = neverStopped): Promise<Storage> {
  return openStorage(config, log, stop, async () => {
    // Imported only here, because most starts migrate nothing.
    const { tryAssembly } = await import('./try-assembly.js');
    await tryAssembly(config, log);
  });
}

/** Every queue of jobs. */
export const jobQueues = [metadataQueue, webhookQueue];

/** The same, with the tables of the job queue. */
export async function openDatabase(config: Config, log: Logger, stop: Stop = neverStopped): Promise<Storage> {
  const storage = await openMigrated(config, log, stop);
  try {
    if (config.MIGRATE === 'auto') await unlessAborted(stop.asked, installQueues(storage, log, jobQueues));
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
}
