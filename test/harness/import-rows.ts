import { BatchWriter } from '../../src/write/batch.js';
import { fileKinds } from '../../src/resources.js';
import { recognise } from '../../src/ingest/source-file.js';
import type { Storage } from '../../src/storage/open.js';

/** Imports rows as one batch, as `moraine import` would from a file of this name. */
export async function importRows(storage: Storage, fileName: string, rows: readonly object[]) {
  const { kind, scope } = recognise(fileName, {}, fileKinds);
  return storage.session(async (session) => {
    const writer = new BatchWriter(session, kind.rows, scope, { rows: Infinity, bytes: Infinity });
    for (const row of rows) await writer.add(kind.rows.read(row, scope), 0);
    await writer.finish();
    return writer.total;
  });
}
