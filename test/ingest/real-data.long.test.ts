import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createImportDatabase,
  dumpLedger,
  hashOfRows,
  rowVersions,
  runImport,
  type ImportDatabase,
} from '../harness/ingest.js';
import { createPool, poolOf, storageOn } from '../harness/connections.js';
import { createDatabase } from '../harness/database.js';
import { realFilling, realLedger, realPaths } from '../harness/real-data.js';
import { hasRealData, readRealData, realData } from '../harness/seed.js';

describe.skipIf(!hasRealData)('the real mainnet files', () => {
  let database: ImportDatabase;
  let first: Awaited<ReturnType<typeof runImport>>;
  let utxos: string[];
  let transactions: string[];

  beforeAll(async () => {
    database = await createImportDatabase();
    utxos = realPaths(realLedger.utxos);
    transactions = realPaths(realLedger.transactions);
    // The other way round than `realFilling` does it, and in batches a quarter as large.
    first = await runImport(database.storage, [...transactions, ...utxos.toReversed()], {
      limits: { rows: 2000, bytes: 2_000_000 },
    });
  });

  afterAll(() => database.close());

  async function sum(where: string): Promise<{ count: number; sum: string }> {
    const { rows } = await poolOf(database.storage).query<{ count: number; sum: string }>(
      `SELECT count(*)::int AS count, sum(amount)::text AS sum FROM utxo WHERE network = 'mainnet' AND ${where}`,
    );
    return rows[0] as { count: number; sum: string };
  }

  test('go in, all but the 15 transactions without a blockTimestamp', () => {
    // What the transactions have brought along is met again among the outputs.
    expect(first).toMatchObject({
      rows: 39_035,
      written: 15_468,
      unchanged: 23_552,
      rejected: 15,
      brokenFiles: 0,
    });
    expect(first.lines).toHaveLength(15);
    for (const line of first.lines) {
      expect(line).toMatch(/^.*\.transactions\.partial\.ndjson:\d+: blockTimestamp: is missing/);
    }
  });

  test('hold the published amounts of the genesis', async () => {
    expect(await sum(`created_on = 'p' AND block_number = 0`)).toEqual({
      count: 34_479,
      sum: '335490228411755492',
    });
    type Row = { txHash: string; txType: string; emittedUtxos: unknown[] };
    const onX = await readRealData<Row>('mainnet.x-chain.transactions.ndjson.gz');
    const [creator] = onX.filter(({ txType }) => txType === 'CreateAssetTx');
    expect(await sum(`tx_hash = '${creator?.txHash}'`)).toEqual({
      count: creator?.emittedUtxos.length,
      sum: '24509771588234718',
    });
  });

  test('keep each transaction with its outputs in order', async () => {
    const names = ['p', 'x'].map((chain) => `mainnet.${chain}-chain.transactions.ndjson.gz`);
    for (const name of names) {
      type Utxos = { utxoId: string }[];
      type Row = { txHash: string; emittedUtxos: Utxos; consumedUtxos: Utxos };
      for (const row of await readRealData<Row>(name)) {
        for (const [table, utxos] of [
          ['transaction_output', row.emittedUtxos],
          ['transaction_input', row.consumedUtxos],
        ] as const) {
          const { rows } = await poolOf(database.storage).query<{ utxo_id: string }>(
            `SELECT u.utxo_id FROM ${table} l JOIN utxo u ON u.id = l.utxo_row_id
             JOIN transaction t ON t.id = l.transaction_id WHERE t.tx_hash = $1 ORDER BY l.position`,
            [row.txHash],
          );
          expect(rows.map((each) => each.utxo_id)).toEqual(utxos.map(({ utxoId }) => utxoId));
        }
      }
    }
  });

  test('a second run writes nothing', async () => {
    const before = await rowVersions(database.storage);
    const second = await runImport(database.storage, [...utxos, ...transactions]);
    expect(second).toMatchObject({ rows: 39_035, written: 0, unchanged: 39_020, rejected: 15 });
    expect(await rowVersions(database.storage)).toEqual(before);
  });

  test('make the same ledger whichever kind goes in first, in small batches too', async () => {
    const other = await createDatabase({ filling: realFilling });
    const pool = createPool(other.url, 2);
    try {
      expect(await dumpLedger(database.storage, hashOfRows)).toEqual(
        await dumpLedger(storageOn(pool), hashOfRows),
      );
    } finally {
      await pool.end();
      await other.drop();
    }
  });

  test('go in through the command line, which says what it did and exits with 1', async () => {
    const other = await createImportDatabase();
    const run = (args: string[]) =>
      spawnSync(process.execPath, ['bin/moraine.mjs', ...args], {
        env: { ...process.env, DATABASE_URL: other.url },
        encoding: 'utf8',
      });
    try {
      const paths = [...utxos, ...transactions].filter((path) => path.includes('.partial.'));
      const rejects = join(other.folder, 'rejects.txt');
      const result = run(['import', '--rejects', rejects, ...paths]);
      expect(result.stdout).toMatch(
        /57 rows read: 42 written, 0 unchanged, 15 rejected\n.* rows\/s, peak memory \d+ MiB/,
      );
      expect(result.stderr).toMatch(/c-chain\.transactions\.partial\.ndjson:8: blockTimestamp: is missing/);
      expect(readFileSync(rejects, 'utf8').trim().split('\n')).toHaveLength(15);
      expect(result.status).toBe(1);

      const unknown = run([
        'import',
        paths[0] as string,
        fileURLToPath(new URL('mainnet.p-chain.validators-genesis.ndjson', realData)),
      ]);
      expect(unknown.stderr).toMatch(
        /nothing was imported:\n.*validators-genesis\.ndjson: the file name does not say what the file contains/,
      );
      expect(unknown.stderr).not.toMatch(/ at /);
      expect(unknown.status).toBe(1);
      expect(run(['import', paths.find((path) => path.includes('utxos')) as string]).status).toBe(0);
    } finally {
      await other.close();
    }
  });
});
