import { loadConfig } from '../config.js';
import { ExportError } from '../export/errors.js';
import { exportFiles } from '../export/export-files.js';
import { readSelection, type SelectionOptions } from '../export/selection.js';
import { summarise } from '../export/summary.js';
import { openTarget } from '../export/target.js';
import { showProgress } from '../ingest/progress.js';
import type { Stop } from '../stop.js';
import { openStorage } from '../storage/open.js';
import type { Logger } from 'pino';

/** Options of `moraine export`. */
export interface ExportCommandOptions extends SelectionOptions {
  /** false: plain files. */
  gzip?: boolean;
}

const warning =
  'The export holds this installation’s secret and the hashes of its clients’ keys: whoever has the file ' +
  'moraine.installation.ndjson can make page tokens. Its mode is 0600; keep it so, and remove it when it is used.\n';

/**
 * `moraine export`.
 *
 * @returns the exit code: 130 when it was interrupted
 * @throws ExportError, ConfigError, StorageError with messages for the operator
 */
export async function exportCommand(
  folder: string,
  options: ExportCommandOptions,
  log: Logger,
  stop: Stop,
): Promise<number> {
  const wanted = readSelection(options);
  const storage = await openStorage(loadConfig(), log, stop);
  try {
    const target = await openTarget(folder);
    try {
      const result = await exportFiles(storage, target, wanted, {
        packed: options.gzip ?? true,
        signal: stop.asked,
        showProgress: (rows) => showProgress(process.stderr, rows, 'written'),
      });
      process.stdout.write(`${summarise(result, folder)}\n`);
      if (options.withSecrets) process.stderr.write(warning);
      return 0;
    } finally {
      await target.discard();
    }
  } catch (error) {
    if (stop.asked.aborted) {
      process.stderr.write('stopped: nothing was written\n');
      return 130;
    }
    throw explained(error, folder);
  } finally {
    await storage.close();
  }
}

function explained(error: unknown, folder: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new ExportError(`there is no room left in ${folder}; nothing was written`, { cause: error });
  if (['EACCES', 'EROFS', 'EIO', 'EFBIG'].includes(code))
    return new ExportError(`${folder} cannot be written: ${message}; nothing was written`, { cause: error });
  if (code === '40001')
    return new ExportError(
      'the standby had to take up changes of its primary that this export was still reading past; set ' +
        'hot_standby_feedback = on there, or export from the primary. Nothing was written',
      { cause: error },
    );
  return error;
}
