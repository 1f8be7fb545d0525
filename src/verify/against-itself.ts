import { join } from 'node:path';
import { readdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { exportFiles } from '../export/export-files.js';
import type { ExportKind } from '../export/kind.js';
import { readSelection } from '../export/selection.js';
import { withSnapshot } from '../export/snapshot.js';
import { openTarget } from '../export/target.js';
import { checkpointKind } from '../ingest/checkpoints.js';
import { importExport } from '../ingest/import-export.js';
import { INDEX_LATE_FROM } from '../ingest/import-files.js';
import type { FileKind } from '../ingest/kind.js';
import type { Progress } from '../ingest/progress.js';
import { Rejects } from '../ingest/rejects.js';
import { recogniseFiles } from '../ingest/source-file.js';
import type { Storage } from '../storage/storage.js';
import { compareTable } from './compare-tables.js';
import { Findings, type Outcome } from './finding.js';
import { gapsOutcome, readKnownGaps } from './known-gaps.js';
import { followedTables, importedTables } from './tables.js';

const by = 'its own rows, exported and imported';

export interface CopyDeps {
  /** Where the rows are made again, empty. */
  readonly storage: Storage;
  /** For the files of the export. */
  readonly folder: string;
  readonly exportKinds: readonly ExportKind[];
  readonly fileKinds: readonly FileKind[];
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Exports the rows of a database, imports them into an empty one, and compares every table: so each table
 * that is derived from others is what an import makes of them today.
 *
 * @throws ExportError, IngestError; what the databases throw; the signal's reason
 */
export async function againstItself(stored: Storage, deps: CopyDeps): Promise<Outcome[]> {
  const { storage, folder, signal } = deps;
  const files = join(folder, 'rows');
  const target = await openTarget(files, false);
  const wanted = readSelection({}, deps.exportKinds);
  await exportFiles(stored, target, wanted, {
    packed: true,
    signal,
    pagedTables: [],
    showProgress: () => quiet(deps.log),
  }).finally(() => target.discard());
  const refused = new Findings();
  const paths = (await readdir(files)).map((name) => join(files, name));
  const rejects = new Rejects((line) =>
    refused.add({ row: line, column: null, stored: 'exported', proved: 'refused by an import' }),
  );
  const given = recogniseFiles(paths, {}, [...deps.fileKinds, checkpointKind]);
  const { rows } = await importExport(storage, given, deps.fileKinds, {
    progress: quiet(deps.log),
    rejects,
    signal,
    indexLateFrom: INDEX_LATE_FROM,
  }).finally(() => rejects.close());
  signal.throwIfAborted();
  const tables = [...followedTables, ...importedTables];
  return withSnapshot(stored, (ours) =>
    withSnapshot(storage, async (proved) => {
      const outcomes = [refused.outcome('rows that an import reads', by, rows)];
      for (const table of tables)
        outcomes.push(await compareTable({ stored: ours, proved }, table, { scope: null, by }));
      return [...outcomes, ...gapsOutcome(await readKnownGaps(ours, null), null)];
    }),
  );
}

const quiet = (log: Logger): Progress => ({
  advance: () => undefined,
  print: (line) => log.info(line),
  stop: () => undefined,
});
