import type pg from 'pg';
import type { Logger } from 'pino';
import type { Storage } from '../storage/open.js';
import { batchLimits, importLocks, inImportTransaction } from './batch.js';
import type { ImportKind } from './kind.js';
import { importKinds } from './kinds.js';
import { sampleFiles } from './sample/index.js';
import { recognise } from './source-file.js';
import { withSession } from './session.js';
import { refreshStatistics } from './statistics.js';

/** What loading the sample did. */
export interface SampleResult {
  rows: number;
  written: number;
  seconds: number;
}

/**
 * Loads the generated sample chain (network fuji) through the checks and writers of an import, without files, in one
 * database transaction: whatever interrupts it, the sample is there as a whole or not at all. Loading it again writes
 * nothing.
 *
 * @throws RowError when a generated row is refused, which is a fault of ours; what the database throws
 */
export function loadSample(storage: Storage, log: Logger): Promise<SampleResult> {
  return withSession(storage, (client) => load(client, log, () => Promise.resolve(true)));
}

/** Loads the sample when no import has written anything yet; gateways that start together load it once. */
export async function loadSampleOnce(storage: Storage, log: Logger): Promise<void> {
  // First without the locks: an import may hold them for a while, and what it writes is not empty.
  if (!(await isEmpty(storage))) return;
  await withSession(storage, (client) => load(client, log, () => holdsNothing(client)));
}

/** Whether no import has written anything yet. */
export function isEmpty({ pool }: Storage): Promise<boolean> {
  return holdsNothing(pool);
}

async function holdsNothing(database: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const tables = new Set(importKinds.map((kind) => kind.tables[0]));
  const held = [...tables].map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ');
  const { rows } = await database.query<{ held: boolean }>(`SELECT ${held} AS held`);
  return rows[0]?.held === false;
}

async function load(
  client: pg.ClientBase,
  log: Logger,
  wanted: () => Promise<boolean>,
): Promise<SampleResult> {
  const start = performance.now();
  const result: SampleResult = { rows: 0, written: 0, seconds: 0 };
  const touched = new Set<ImportKind>();
  await inImportTransaction(client, importLocks, async () => {
    if (!(await wanted())) return;
    for (const { name, rows } of sampleFiles()) {
      // The sample has files of resources that are not there yet.
      if (!importKinds.some(({ file }) => file.test(name))) continue;
      const { kind, scope } = recognise(name, {}, importKinds);
      for (const batch of inBatches(rows)) {
        const read = batch.map((row) => kind.read(row, scope));
        const { written } = await kind.write(client, scope, read);
        result.rows += batch.length;
        result.written += written;
        if (written > 0) touched.add(kind);
      }
    }
  });
  await refreshStatistics(client, [...touched]);
  result.seconds = (performance.now() - start) / 1000;
  if (result.rows > 0) log.info(result, 'loaded the generated sample chain');
  return result;
}

function* inBatches(rows: Iterable<object>): Generator<object[]> {
  let batch: object[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < batchLimits.rows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
