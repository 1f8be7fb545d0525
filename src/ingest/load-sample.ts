import type { Logger } from 'pino';
import type { Storage } from '../storage/open.js';
import { BatchWriter } from './batch.js';
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
 * Loads the generated sample chain (network fuji) through the checks and writers of an import, without files. Loading
 * it again writes nothing.
 *
 * @throws RowError when a generated row is refused, which is a fault of ours; what the database throws
 */
export async function loadSample(storage: Storage, log: Logger): Promise<SampleResult> {
  const start = performance.now();
  const result: SampleResult = { rows: 0, written: 0, seconds: 0 };
  const touched = new Set<ImportKind>();
  await withSession(storage, async (client) => {
    for (const { name, rows } of sampleFiles()) {
      // The sample has files of resources that are not there yet.
      if (!importKinds.some(({ file }) => file.test(name))) continue;
      const { kind, scope } = recognise(name, {}, importKinds);
      const writer = new BatchWriter(client, kind, scope);
      for (const row of rows) {
        result.rows += 1;
        await writer.add(kind.read(row, scope), 0);
      }
      await writer.finish();
      result.written += writer.total.written;
      if (writer.total.written > 0) touched.add(kind);
    }
    await refreshStatistics(client, [...touched]);
  });
  result.seconds = (performance.now() - start) / 1000;
  log.info(result, 'loaded the generated sample chain');
  return result;
}

/** Whether no import has written anything yet. */
export async function isEmpty(storage: Storage): Promise<boolean> {
  const tables = new Set(importKinds.map((kind) => kind.tables[0]));
  const held = [...tables].map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ');
  const { rows } = await storage.pool.query<{ held: boolean }>(`SELECT ${held} AS held`);
  return rows[0]?.held === false;
}
