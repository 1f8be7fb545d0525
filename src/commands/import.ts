import { loadConfig } from '../config.js';
import { importFiles } from '../ingest/import-files.js';
import { importKinds } from '../ingest/kinds.js';
import { showProgress } from '../ingest/progress.js';
import { Rejects } from '../ingest/rejects.js';
import { recogniseFiles, type KindOptions } from '../ingest/source-file.js';
import { summarise } from '../ingest/summary.js';
import { openStorage } from '../storage/open.js';
import { unlessAborted, type Stop } from '../stop.js';
import type { Logger } from 'pino';

/** Options of `moraine import`. */
export interface ImportCommandOptions extends KindOptions {
  /** A file that receives every rejected line. */
  rejects?: string;
}

/**
 * `moraine import`.
 *
 * @returns the exit code: 1 when anything was rejected or could not be read, 130 when it was interrupted
 * @throws IngestError, ConfigError, StorageError with messages for the operator
 */
export async function importCommand(
  paths: readonly string[],
  options: ImportCommandOptions,
  log: Logger,
  stop: Stop,
): Promise<number> {
  const files = recogniseFiles(paths, options, importKinds);
  const storage = await openStorage(loadConfig(), log, stop);
  const progress = showProgress(
    process.stderr,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  try {
    const rejects = new Rejects((line) => progress.print(line), options.rejects);
    const work = importFiles(storage, files, { progress, rejects, signal: stop.asked });
    const result = await unlessAborted(stop.atOnce, work).finally(() => rejects.close());
    progress.stop();
    process.stdout.write(`${summarise(result)}\n`);
    if (result.stopped) return 130;
    return result.rejected + result.brokenFiles > 0 ? 1 : 0;
  } finally {
    progress.stop();
    await storage.close();
  }
}
