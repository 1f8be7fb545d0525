import { loadConfig, pastPooler } from '../config.js';
import { ExportError } from '../export/errors.js';
import { exportFiles } from '../export/export-files.js';
import { readSelection, type SelectionOptions } from '../export/selection.js';
import { openTarget } from '../export/target.js';
import { showProgress, throughput } from '../ingest/progress.js';
import type { Stop } from '../stop.js';
import { exportKinds, pagedTables } from '../resources.js';
import { openMigrated } from '../open-database.js';
import type { Logger } from 'pino';

/** Options of `moraine export`. */
export interface ExportCommandOptions extends SelectionOptions {
  /** false: plain files. */
  gzip?: boolean;
}

const warning =
  'The export contains the hashes of clients’ keys and, where a gateway has served this database, the secret of its page ' +
  'tokens, in the file moraine.installation.ndjson, and their webhooks with encrypted secrets in moraine.webhooks.ndjson. ' +
  'Their mode is 0600; keep that mode, and delete the files after use.\n';
const noSecret =
  'The export contains no secret and no keys: no gateway has served this database yet, and it has no keys. It is ' +
  'imported without --with-secrets.\n';

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
  const wanted = readSelection(options, exportKinds);
  const storage = await openMigrated(pastPooler(loadConfig()), log, stop);
  try {
    const target = await openTarget(folder, options.withSecrets ?? false);
    try {
      const result = await exportFiles(storage, target, wanted, {
        packed: options.gzip ?? true,
        signal: stop.asked,
        pagedTables,
        showProgress: (rows) => showProgress(process.stderr, rows, 'written'),
      });
      const [rows, files] = [result.rows, result.files.length].map((count) => count.toLocaleString('en'));
      process.stdout.write(
        `${rows} rows written to ${files} files in ${folder}\n${throughput(result.rows, result.seconds)}\n`,
      );
      const holdsSecret = result.files.includes('moraine.installation.ndjson');
      if (options.withSecrets) process.stderr.write(holdsSecret ? warning : noSecret);
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
    return new ExportError(`there is no space left in ${folder}; nothing was written`, { cause: error });
  if (['EACCES', 'EROFS', 'EIO', 'EFBIG'].includes(code))
    return new ExportError(`${folder} cannot be written: ${message}; nothing was written`, { cause: error });
  if (code === '40001')
    return new ExportError(
      'the standby had to replay changes of its primary that conflict with this export; set ' +
        'hot_standby_feedback = on there, or export from the primary. Nothing was written',
      { cause: error },
    );
  return error;
}
