import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { BatchWriter } from '../../src/write/batch.js';
import { RowError } from '../../src/rows/errors.js';
import { fileKinds } from '../../src/resources.js';
import { recognise } from '../../src/ingest/source-file.js';
import { parseJson } from '../../src/json.js';
import type { Storage } from '../../src/storage/open.js';

/** Real mainnet data next to the checkout; tests that need it are skipped if it is missing. */
export const realData = new URL('../../../shared/data/', import.meta.url);
export const hasRealData = existsSync(realData);

/**
 * Imports rows in the specification's JSON shapes, as `moraine import` would from a file of this name.
 *
 * @param name a file name without `.ndjson`, for example `fuji.p-chain.utxos`
 */
export async function importRows(storage: Storage, name: string, rows: Iterable<object>): Promise<void> {
  const rejected = await importRowsOrReject(storage, name, rows);
  for (const error of rejected) throw error;
}

/** The same, giving back why rows were rejected. */
export async function importRowsOrReject(
  storage: Storage,
  name: string,
  rows: Iterable<object>,
): Promise<RowError[]> {
  const { kind, scope } = recognise(name, {}, fileKinds);
  const rejected: RowError[] = [];
  await storage.session(async (session) => {
    const writer = new BatchWriter(session, kind.rows, scope);
    for (const row of rows) {
      try {
        const read = kind.rows.read(row, scope);
        if (read !== null) await writer.add(read, 0);
      } catch (error) {
        if (!(error instanceof RowError)) throw error;
        rejected.push(error);
      }
    }
    await writer.finish();
  });
  return rejected;
}

/** The rows of a file of real data. */
export async function readRealData<Row>(file: string): Promise<Row[]> {
  const source = createReadStream(new URL(file, realData));
  const lines = createInterface({ input: file.endsWith('.gz') ? source.pipe(createGunzip()) : source });
  const rows: Row[] = [];
  for await (const line of lines) rows.push(parseJson(line) as Row);
  return rows;
}
