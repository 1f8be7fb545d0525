import { basename } from 'node:path';
import { networkTable } from '../state/following.js';
import { adoptStoredIdentities } from '../storage/identities.js';
import type { Storage } from '../storage/open.js';
import type { Batch, Session } from '../storage/session.js';
import { refreshStatistics } from '../write/statistics.js';
import { allLocks, inWriteTransaction } from '../write/transaction.js';
import { checkpointTables } from './checkpoint-tables.js';
import { checkpointKind, writeCheckpoints } from './checkpoints.js';
import { IngestError } from './errors.js';
import { isOwn, readHeader, type ExportHeader } from './export-header.js';
import { importFiles, type ImportOptions, type ImportResult } from './import-files.js';
import { hasNoRows } from './installation.js';
import type { FileKind } from './kind.js';
import { checkEnded, checkNetworks, missingNetworks, storedNetworks } from './known-networks.js';
import type { StoredNetwork } from './known-networks.js';
import { bareName, type SourceFile } from './source-file.js';

/** Files of an export that has checkpoints. */
interface Export {
  readonly path: string;
  readonly header: ExportHeader;
  /** Every kind of row. */
  readonly kinds: readonly FileKind[];
}

/**
 * Imports files as `importFiles` does. With the checkpoints of an export among them its networks are known
 * before the first row, and a follower can resume after the last one.
 *
 * @param kinds every kind of row
 * @throws IngestError before anything is written, for what cannot be imported; what the database throws
 */
export async function importExport(
  storage: Storage,
  files: readonly SourceFile[],
  kinds: readonly FileKind[],
  options: ImportOptions,
): Promise<ImportResult> {
  const [file, second] = files.filter(({ kind }) => kind === checkpointKind);
  const others = files.filter(({ kind }) => kind !== checkpointKind);
  if (second)
    throw new IngestError(`${second.path}: only one export can be imported at a time. Nothing was imported`);
  if (!file) {
    await checkNetworks(storage, others);
    return importFiles(storage, others, options);
  }
  const header = await readHeader(file.path);
  const given = { path: file.path, header, kinds };
  checkFiles(given, others);
  const digest = await storage.session((session) =>
    inWriteTransaction(session, allLocks, (batch) => begin(batch, given, storage.description)),
  );
  await adoptStoredIdentities(storage.prisma);
  const result = await importFiles(storage, others, withCounts(given, options));
  if (digest === null) return result;
  if (result.stopped || result.rejected + result.brokenFiles > 0) {
    options.progress.print(
      `${file.path}: not imported, because rows are missing: nothing can be followed here. Import all files of the export again`,
    );
    return result;
  }
  const rows = await storage.session((session) => finish(session, given, digest));
  return { ...result, rows: result.rows + rows, written: result.written + rows };
}

/** @throws IngestError that names the files of the export that are not given */
function checkFiles({ path, header }: Export, others: readonly SourceFile[]): void {
  const names = new Set(others.map((other) => bareName(other.path)));
  const missing = [...(header.files?.keys() ?? [])].filter((name) => !names.has(name));
  if (missing.length === 0) return;
  throw new IngestError(
    `${path} belongs to an export of which these files are missing: ${missing.map((name) => `${name}.ndjson`).join(', ')}. ` +
      `Nothing was imported. Name all files of the export, or leave out ${basename(path)} and follow from the beginning`,
  );
}

/** A file that was cut off between two lines has fewer rows than were exported. */
function withCounts({ header: { files } }: Export, options: ImportOptions): ImportOptions {
  return {
    ...options,
    expectedRows: (path) => files?.get(bareName(path)),
  };
}

/**
 * Makes the networks known, if the database may have them, and tries the checkpoints.
 *
 * @returns the hash of the checkpoints, which marks the networks until all is imported; null of a part of an
 *   export
 */
async function begin(batch: Batch, given: Export, description: string): Promise<string | null> {
  const { header } = given;
  const stored = await storedNetworks(batch);
  const missing = missingNetworks(header.networks, stored, description);
  // An import that was interrupted.
  const goesOn = stored.length > 0 && stored.every(({ importing }) => importing !== null);
  if (header.files ? !goesOn : missing.some(isOwn)) await checkEmpty(batch, given, stored, description);
  const digest = header.files && (await tryCheckpoints(batch, given));
  checkEnded(stored, digest, description);
  for (const network of missing)
    await batch.query(
      `INSERT INTO ${networkTable.name} SELECT * FROM jsonb_populate_record(NULL::${networkTable.name}, $1)`,
      [JSON.stringify({ ...network, importing: digest })],
    );
  return digest;
}

/** @throws IngestError that says what helps */
async function checkEmpty(
  batch: Batch,
  { path, header, kinds }: Export,
  stored: readonly StoredNetwork[],
  description: string,
): Promise<void> {
  if (stored.length === 0 && (await hasNoRows(batch, kinds))) return;
  const [what, instead] = header.files
    ? [
        `following can go on from ${path} only where all rows come from its export`,
        `, or leave out ${basename(path)}: then rows are imported, and the streams stay where they are`,
      ]
    : [`${path} names a network that is not stored, which only an empty database can get`, ''];
  throw new IngestError(
    `${description} is not empty: ${what}. Nothing was imported. Import into an empty database (DATA_DIR: a new folder; DATABASE_URL: a new database)${instead}`,
  );
}

/** Writes the checkpoints and takes them back: errors are found before the rows are imported. */
async function tryCheckpoints(batch: Batch, given: Export): Promise<string> {
  await batch.query('SAVEPOINT trial');
  const { digest } = await writeCheckpoints(batch, given.path, namesOf(given));
  await batch.query('ROLLBACK TO SAVEPOINT trial');
  return digest;
}

/** Writes the checkpoints for good. @returns how many rows */
async function finish(session: Session, given: Export, begun: string): Promise<number> {
  const written = await inWriteTransaction(session, allLocks, async (batch) => {
    const { rowCount } = await batch.query(
      `UPDATE ${networkTable.name} SET importing = NULL WHERE importing = $1`,
      [begun],
    );
    const { rows, digest } = await writeCheckpoints(batch, given.path, namesOf(given));
    if (rowCount === given.header.networks.length && digest === begun) return rows;
    throw new IngestError(
      `${given.path} was changed, or imported by another process, while its rows were imported`,
    );
  });
  await refreshStatistics(session, new Set(checkpointTables));
  return written;
}

const namesOf = ({ header }: Export) => header.networks.map(({ network }) => network);
