import type { Session } from '../storage/session.js';
import { makeLateIndexes, dropLateIndexes } from '../storage/late-indexes.js';
import type { Storage } from '../storage/open.js';
import { BatchWriter, type BatchLimits } from '../write/batch.js';
import { IngestError } from './errors.js';
import { RowError, RowLeftOut } from '../rows/errors.js';
import { parseLine } from './line-value.js';
import { readChunks, splitLines, type ImportLine } from './lines.js';
import type { FileKind } from './kind.js';
import type { Progress } from './progress.js';
import type { Rejects } from './rejects.js';
import type { SourceFile } from './source-file.js';
import { lateWorkOf } from '../write/derived/computed.js';
import { refreshStatistics } from '../write/statistics.js';

export interface ImportResult {
  /** Rows read: one for each line, or as many as a line has that is a page. Blank lines are not counted. */
  rows: number;
  written: number;
  unchanged: number;
  /** Rows that were rejected. */
  rejected: number;
  /** Correct rows of a sort that is never stored. */
  leftOut: number;
  /** Files that could not be read to their end. */
  brokenFiles: number;
  seconds: number;
  /** Whether the signal stopped it before the end; what was written stays. */
  stopped: boolean;
}

export interface ImportOptions {
  progress: Progress;
  rejects: Rejects;
  signal?: AbortSignal;
  limits?: BatchLimits;
  /**
   * With files of at least so many bytes, the indexes of empty tables are made after the rows; never unless
   * given. Making them takes a while even if the tables have few rows.
   */
  indexLateFrom?: number;
  /** How many rows a file must have; undefined: any number. */
  expectedRows?: (path: string) => number | undefined;
}

/** The value that the command uses. */
export const INDEX_LATE_FROM = 16 * 1024 * 1024;

/**
 * Imports files in the order given, in batches that are written whole or not at all. Lines that cannot be
 * imported are reported and skipped; a file that cannot be read further ends there, and the next one follows.
 *
 * @throws what the database throws; batches written before stay
 */
export async function importFiles(
  storage: Storage,
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<ImportResult> {
  const start = performance.now();
  const result = {
    rows: 0,
    written: 0,
    unchanged: 0,
    rejected: 0,
    leftOut: 0,
    brokenFiles: 0,
    seconds: 0,
    stopped: false,
  };
  const changed = new Set<string>();
  await storage.session(async (session) => {
    const computed = new Set(files.flatMap(({ kind }) => kind.rows.computedLate ?? []));
    const works = [...computed].map(lateWorkOf);
    const late = await dropLateIndexes(session, tablesIndexedLate(files, options), works);
    let bytesBefore = 0;
    for (const file of files) {
      for (const table of await importFile(session, file, bytesBefore, result, options)) changed.add(table);
      bytesBefore += file.bytes;
      if (result.stopped) break;
    }
    if (late.length > 0) {
      options.progress.print('creating the indexes of the imported data');
      await makeLateIndexes(session);
    }
    await refreshStatistics(session, changed);
  });
  result.seconds = (performance.now() - start) / 1000;
  return result;
}

function tablesIndexedLate(
  files: readonly SourceFile[],
  { indexLateFrom = Infinity }: ImportOptions,
): string[] {
  const tablesOf = (file: SourceFile) => file.kind.rows.indexedLate ?? [];
  const bytes = files.reduce((sum, file) => sum + (tablesOf(file).length > 0 ? file.bytes : 0), 0);
  return bytes < indexLateFrom ? [] : [...new Set(files.flatMap(tablesOf))];
}

type RowPosition = Pick<ImportLine, 'number' | 'bytes'>;

/** The rows of a reply that was saved whole; null for a value that is itself a row. */
function rowsOfPage({ page }: FileKind, value: unknown): readonly unknown[] | null {
  if (page === undefined || typeof value !== 'object' || value === null) return null;
  const rows = (value as Record<string, unknown>)[page];
  return Array.isArray(rows) ? rows : null;
}

/** What to say of a file with fewer rows than it must have. */
const missingRows = (read: number, expected = 0): string | null =>
  read < expected ? `has ${read} rows, but ${expected} were exported` : null;

/** @returns the tables that it changed */
async function importFile(
  session: Session,
  file: SourceFile,
  bytesBefore: number,
  result: ImportResult,
  { progress, rejects, signal, limits, expectedRows }: ImportOptions,
): Promise<ReadonlySet<string>> {
  const { path, kind, scope } = file;
  const writer = new BatchWriter(session, kind.rows, scope, limits);
  const leftOut = new Map<string, number>();
  const rowsBefore = result.rows;

  function take(line: ImportLine): Promise<void> | null {
    let value: unknown;
    try {
      if (line.text === null) throw new RowError(line.problem ?? 'cannot be read');
      value = parseLine(line.text);
    } catch (error) {
      result.rows += 1;
      return refuse(error, line.number);
    }
    const rows = rowsOfPage(kind, value);
    return rows ? takePage(line, rows) : takeRow(value, line);
  }

  async function takePage({ number, bytes }: ImportLine, rows: readonly unknown[]): Promise<void> {
    for (const [index, row] of rows.entries())
      await takeRow(row, { number, bytes: bytes / rows.length }, `${kind.page}[${index}]: `);
  }

  function takeRow(value: unknown, { number, bytes }: RowPosition, name = ''): Promise<void> | null {
    result.rows += 1;
    try {
      return writer.add(kind.rows.read(value, scope), bytes);
    } catch (error) {
      return refuse(error, number, name);
    }
  }

  function refuse(error: unknown, number: number, name = ''): null {
    if (!(error instanceof RowError)) throw error;
    if (error instanceof RowLeftOut) {
      result.leftOut += 1;
      leftOut.set(error.message, (leftOut.get(error.message) ?? 0) + 1);
    } else {
      result.rejected += 1;
      rejects.add(path, number, `${name}${error.message}`);
    }
    return null;
  }

  const onRead = (bytes: number) => progress.advance(bytesBefore + bytes, result.rows);
  try {
    for await (const lines of splitLines(readChunks(path, onRead))) {
      for (const line of lines) {
        const full = take(line);
        if (full) await full;
      }
      if (signal?.aborted) {
        result.stopped = true;
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    result.brokenFiles += 1;
    rejects.add(path, null, error.message);
  }
  await writer.finish();
  const missing = missingRows(result.rows - rowsBefore, expectedRows?.(path));
  if (missing !== null && !result.stopped) {
    result.brokenFiles += 1;
    rejects.add(path, null, missing);
  }
  for (const [sort, count] of leftOut)
    progress.print(`${path}: left out ${count.toLocaleString('en')} ${sort}`);
  result.written += writer.total.written;
  result.unchanged += writer.total.unchanged;
  return writer.changed;
}
