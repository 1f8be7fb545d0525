import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import { utxoRow } from '../harness/ledger-rows.js';
import { poolOf } from '../harness/connections.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());

test('an import ends with a vacuum and fresh statistics, and not when it wrote nothing', async () => {
  const outputs = Array.from({ length: 2000 }, (_, index) => utxoRow(`output ${index}`));
  const path = database.write('mainnet.p-chain.utxos.ndjson', outputs);
  const read = async () => {
    const { rows } = await poolOf(database.storage).query(
      `SELECT c.relname, c.reltuples::int AS rows, s.vacuum_count::int AS vacuums, s.analyze_count::int AS analyses
       FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid
       WHERE c.relname IN ('utxo', 'utxo_owner') ORDER BY c.relname`,
    );
    return rows as unknown[];
  };
  await runImport(database.storage, [path]);
  const once = [
    { relname: 'utxo', rows: 2000, vacuums: 1, analyses: 1 },
    { relname: 'utxo_owner', rows: 4000, vacuums: 1, analyses: 1 },
  ];
  expect(await read()).toEqual(once);
  await runImport(database.storage, [path]);
  expect(await read()).toEqual(once);
});
