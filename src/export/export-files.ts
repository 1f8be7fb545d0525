import type { Progress } from '../ingest/progress.js';
import type { Storage } from '../storage/open.js';
import type { Connection } from '../storage/session.js';
import { checkpointFile } from './checkpoints.js';
import { installationFile } from './installation.js';
import type { ExportFile } from './kind.js';
import type { Wanted } from './selection.js';
import { withSnapshot } from './snapshot.js';
import type { Target } from './target.js';
import { webhooksFile } from './webhooks.js';
import { writeFile } from './write-file.js';

export interface ExportResult {
  /** The files' names, without those of empty lists. */
  files: string[];
  rows: number;
  seconds: number;
}

export interface ExportOptions {
  packed: boolean;
  signal: AbortSignal;
  /** The tables whose row ids an export with secrets contains. */
  pagedTables: readonly string[];
  /** @param rows how many are expected */
  showProgress: (rows: number) => Progress;
}

/**
 * Writes the stored rows, all from one snapshot, as files that `import` reads. They appear in the target
 * together, when all are complete.
 *
 * @throws ExportError; what the database and the file system throw; an AbortError when the signal stopped it
 */
export async function exportFiles(
  storage: Storage,
  target: Target,
  wanted: Wanted,
  { packed, signal, pagedTables, showProgress }: ExportOptions,
): Promise<ExportResult> {
  const start = performance.now();
  const names: string[] = [];
  let rows = 0;
  await withSnapshot(storage, async (client) => {
    const files = await listFiles(client, wanted, pagedTables);
    const nameOf = ({ name, secret }: ExportFile) => `${name}.ndjson${packed && !secret ? '.gz' : ''}`;
    for (const file of files) await target.check(nameOf(file));
    const expected: number[] = [];
    for (const file of files) expected.push(await expectedRows(client, selectOf(file, new Map())));
    const writtenTo = new Map<string, number>();
    const progress = showProgress(expected.reduce((sum, each) => sum + each, 0));
    try {
      let before = 0;
      for (const [index, file] of files.entries()) {
        const share = expected[index] ?? 0;
        const name = nameOf(file);
        const onRows = (read: number) => progress.advance(before + Math.min(read, share), rows + read);
        const path = target.draft(name);
        const { secret = false } = file;
        const written = await writeFile(client, selectOf(file, writtenTo), {
          path,
          secret,
          signal,
          onRows,
          packed: packed && !secret,
        });
        if (written > 0) names.push(name);
        if (written > 0 && !secret) writtenTo.set(file.name, written);
        rows += written;
        before += share;
      }
    } finally {
      progress.stop();
    }
  });
  signal.throwIfAborted();
  await target.publish(names);
  return { files: names, rows, seconds: (performance.now() - start) / 1000 };
}

async function listFiles(
  client: Connection,
  { kinds, select }: Wanted,
  pagedTables: readonly string[],
): Promise<ExportFile[]> {
  const selection = await select(client);
  const files: ExportFile[] = [];
  for (const kind of kinds) files.push(...(await kind.files(selection, client)));
  if (selection.installation) files.push(installationFile(pagedTables), webhooksFile);
  // Last: it says how many rows the others have.
  const checkpoints = await checkpointFile(client, selection);
  return checkpoints ? [...files, checkpoints] : files;
}

const selectOf = ({ select }: ExportFile, written: ReadonlyMap<string, number>): string =>
  typeof select === 'string' ? select : select(written);

// The planner's estimate, only for the progress.
async function expectedRows(client: Connection, select: string): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) ${select}`,
  );
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
