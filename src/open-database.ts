import type { Logger } from 'pino';
import type { Config } from './config.js';
import { installQueue } from './jobs/queue.js';
import { openStorage, type Storage } from './storage/open.js';

/**
 * Opens the database and, unless MIGRATE=off, brings the tables of Moraine and of its job queue up to date.
 *
 * @throws StorageError with a message for the operator
 */
export async function openDatabase(config: Config, log: Logger): Promise<Storage> {
  const storage = await openStorage(config, log);
  try {
    if (config.MIGRATE === 'auto') await installQueue(storage.pool, log);
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
}
