import type { Logger } from 'pino';
import type { Config } from './config.js';
import { installQueues } from './jobs/queue.js';
import { metadataQueue } from './resources/nft/queue.js';
import { openStorage, type Storage } from './storage/open.js';
import { neverStopped, unlessAborted, type Stop } from './stop.js';

/**
 * Opens the database and, unless MIGRATE=off, brings the tables of Moraine and of its job queue up to date.
 *
 * @throws StorageError with a message for the operator; Stopped when the stop was asked for meanwhile
 */
export async function openDatabase(config: Config, log: Logger, stop: Stop = neverStopped): Promise<Storage> {
  const storage = await openStorage(config, log, stop);
  try {
    if (config.MIGRATE === 'auto')
      await unlessAborted(stop.asked, installQueues(storage, log, [metadataQueue]));
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
}
