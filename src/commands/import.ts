import { loadConfig, pastPooler } from '../config.js';
import type { WriteScope } from '../write/scope.js';
import { checkpointKind } from '../ingest/checkpoints.js';
import { importExport } from '../ingest/import-export.js';
import { INDEX_LATE_FROM, type ImportResult } from '../ingest/import-files.js';
import { IngestError } from '../ingest/errors.js';
import { installationImport } from '../ingest/installation.js';
import { showProgress, throughput } from '../ingest/progress.js';
import { Rejects } from '../ingest/rejects.js';
import { recogniseFiles, type KindOptions, type SourceFile } from '../ingest/source-file.js';
import { webhookImport } from '../ingest/webhooks.js';
import { openMigrated } from '../open-database.js';
import { fileKinds, pagedTables } from '../resources.js';
import { unlessAborted, type Stop } from '../stop.js';
import type { Logger } from 'pino';

/** Options of `moraine import`. */
export interface ImportCommandOptions extends KindOptions {
  /** A file that receives every rejected line. */
  rejects?: string;
  /** Import the installation of an export: its secret, keys and row ids. */
  withSecrets?: boolean;
  /** With `installation`: replace the identity that the empty database has. */
  replaceInstallation?: boolean;
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
  const files = readFiles(paths, options);
  const config = loadConfig();
  const storage = await openMigrated(pastPooler(config), log, stop);
  const progress = showProgress(
    process.stderr,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  try {
    const rejects = new Rejects((line) => progress.print(line), options.rejects);
    // With MIGRATE=off the operator wants the tables to stay as they are.
    const indexLateFrom = config.MIGRATE === 'auto' ? INDEX_LATE_FROM : Infinity;
    const importOptions = { progress, rejects, signal: stop.asked, indexLateFrom };
    const work = importExport(storage, files, fileKinds, importOptions);
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

function summarise(result: ImportResult): string {
  const { rows, written, unchanged, rejected, leftOut, brokenFiles, seconds, stopped } = result;
  const count = (value: number) => value.toLocaleString('en');
  const broken = brokenFiles > 0 ? `, ${count(brokenFiles)} files not read to their end` : '';
  const left = leftOut > 0 ? `, ${count(leftOut)} left out (of a kind that is never stored)` : '';
  return (
    `${stopped ? 'stopped: ' : ''}${count(rows)} rows read: ${count(written)} written, ${count(unchanged)} unchanged, ` +
    `${count(rejected)} rejected${left}${broken}\n${throughput(rows, seconds)}`
  );
}

/** @throws IngestError */
function readFiles(paths: readonly string[], options: ImportCommandOptions): SourceFile[] {
  const installation = installationImport(fileKinds, pagedTables, options.replaceInstallation ?? false);
  const files = recogniseFiles(paths, options, [...fileKinds, checkpointKind, installation, webhookImport]);
  const first = files.filter(({ kind }) => kind === installation);
  const last = files.filter(({ kind }) => kind === webhookImport);
  const [secret] = [...first, ...last];
  if (!options.withSecrets) {
    if (secret)
      throw new IngestError(
        `${secret.path}: contains secrets of an installation; --with-secrets imports them. Nothing was imported`,
      );
    return files;
  }
  if (!first[0])
    throw new IngestError(
      '--with-secrets needs moraine.installation.ndjson among the files; `moraine export --with-secrets` writes it',
    );
  // Before the rows: their ids are kept only if the installation was imported first. Webhooks are imported
  // after them, because rows that came later would be events.
  const others = files.filter((each) => !first.includes(each) && !last.includes(each));
  const keeping = {
    get keepsInstallation() {
      return installation.isAccepted();
    },
  };
  return [...first, ...others, ...last].map((file) => ({
    ...file,
    scope: Object.create(file.scope, Object.getOwnPropertyDescriptors(keeping)) as WriteScope,
  }));
}
