import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { openMigrated } from '../open-database.js';
import { isEmpty } from '../load-sample.js';
import type { Stop } from '../stop.js';
import type { Storage } from '../storage/open.js';
import { VerifyError } from '../verify/error.js';

/** An empty database of its own, in which rows are made again. */
export interface Scratch {
  readonly storage: Storage;
  /** For files that are needed meanwhile. */
  readonly folder: string;
  /** Removes the folder with all that is in it. */
  readonly remove: () => Promise<void>;
}

/**
 * @param target a folder, in which a folder of its own is made, or the address of an empty database,
 *   postgresql://…; the system's folder for temporary files when absent
 * @throws StorageError; VerifyError for a database that is not empty; Stopped
 */
export async function openScratch(
  config: Config,
  target: string | undefined,
  log: Logger,
  stop: Stop,
): Promise<Scratch> {
  const isAddress = /^postgres(ql)?:\/\//.test(target ?? '');
  const folder = await mkdtemp(join(isAddress ? tmpdir() : (target ?? tmpdir()), 'moraine-verify-')).catch(
    (error: Error) => {
      throw new VerifyError(`no folder can be made in ${target ?? tmpdir()}: ${error.message}`);
    },
  );
  let storage: Storage | undefined;
  const remove = async () => {
    await storage?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const database = isAddress ? { DATABASE_URL: target } : { DATA_DIR: join(folder, 'data') };
    storage = await openMigrated({ ...config, ...noDatabase, ...database }, log, stop);
    if (!(await isEmpty(storage)))
      throw new VerifyError(
        `${storage.description} is not empty: give --scratch an empty database, or a folder`,
      );
    return { storage, folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Without what names the database that is verified. */
const noDatabase = {
  DATABASE_URL: undefined,
  DIRECT_DATABASE_URL: undefined,
  READ_DATABASE_URLS: [] as string[],
  MIGRATE: 'auto' as const,
};
