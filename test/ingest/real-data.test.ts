import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createImportPlace,
  dumpLedger,
  hashOfRows,
  rowVersions,
  runImport,
  type ImportPlace,
} from '../harness/ingest.js';
import { poolOf } from '../harness/connections.js';

const shared = join(import.meta.dirname, '../../../shared/data');
const files = (part: string) =>
  readdirSync(shared)
    .filter((name) => new RegExp(`^mainnet\\..-chain\\.${part}\\.`).test(name))
    .map((name) => join(shared, name));

function readRows<Row>(name: string): Row[] {
  const bytes = readFileSync(join(shared, name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

describe.skipIf(!existsSync(shared))('the real mainnet files', () => {
  let place: ImportPlace;
  let first: Awaited<ReturnType<typeof runImport>>;

  beforeAll(async () => {
    place = await createImportPlace();
    first = await runImport(place.storage, [...files('utxos'), ...files('transactions')]);
  });

  afterAll(() => place.close());

  async function sum(where: string): Promise<{ count: number; sum: string }> {
    const { rows } = await poolOf(place.storage).query<{ count: number; sum: string }>(
      `SELECT count(*)::int AS count, sum(amount)::text AS sum FROM utxo WHERE network = 'mainnet' AND ${where}`,
    );
    return rows[0] as { count: number; sum: string };
  }

  test('go in, all but the 15 transactions without a blockTimestamp', () => {
    expect(first).toMatchObject({
      rows: 39_035,
      written: 39_020,
      unchanged: 0,
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
    const [creator] = readRows<{ txHash: string; txType: string; emittedUtxos: unknown[] }>(
      'mainnet.x-chain.transactions.ndjson.gz',
    ).filter(({ txType }) => txType === 'CreateAssetTx');
    expect(await sum(`tx_hash = '${creator?.txHash}'`)).toEqual({
      count: creator?.emittedUtxos.length,
      sum: '24509771588234718',
    });
  });

  test('keep each transaction with its outputs in order', async () => {
    const names = ['p', 'x'].map((chain) => `mainnet.${chain}-chain.transactions.ndjson.gz`);
    for (const name of names) {
      type Utxos = { utxoId: string }[];
      for (const row of readRows<{ txHash: string; emittedUtxos: Utxos; consumedUtxos: Utxos }>(name)) {
        for (const [table, utxos] of [
          ['transaction_output', row.emittedUtxos],
          ['transaction_input', row.consumedUtxos],
        ] as const) {
          const { rows } = await poolOf(place.storage).query<{ utxo_id: string }>(
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
    const before = await rowVersions(place.storage);
    const second = await runImport(place.storage, [...files('transactions'), ...files('utxos')]);
    expect(second).toMatchObject({ rows: 39_035, written: 0, unchanged: 39_020, rejected: 15 });
    expect(await rowVersions(place.storage)).toEqual(before);
  });

  test('make the same ledger whichever kind goes in first, in small batches too', async () => {
    const other = await createImportPlace();
    try {
      await runImport(other.storage, [...files('transactions'), ...files('utxos').reverse()], {
        limits: { rows: 700, bytes: 100_000 },
      });
      expect(await dumpLedger(other.storage, hashOfRows)).toEqual(
        await dumpLedger(place.storage, hashOfRows),
      );
    } finally {
      await other.close();
    }
  });

  test('go in through the command line, which says what it did and exits with 1', async () => {
    const other = await createImportPlace();
    const run = (args: string[]) =>
      spawnSync(process.execPath, ['bin/moraine.mjs', ...args], {
        env: { ...process.env, DATABASE_URL: other.url },
        encoding: 'utf8',
      });
    try {
      const paths = [...files('utxos'), ...files('transactions')].filter((path) =>
        path.includes('.partial.'),
      );
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
        join(shared, 'mainnet.p-chain.validators-genesis.ndjson'),
      ]);
      expect(unknown.stderr).toMatch(
        /nothing was imported:\n.*validators-genesis\.ndjson: the name tells no kind/,
      );
      expect(unknown.stderr).not.toMatch(/ at /);
      expect(unknown.status).toBe(1);
      expect(run(['import', paths.find((path) => path.includes('utxos')) as string]).status).toBe(0);
    } finally {
      await other.close();
    }
  });
});
