import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetRows } from '../../src/resources/asset/import.js';
import { chainRows } from '../../src/resources/chain/import.js';
import { utxoRows } from '../../src/resources/utxo/import.js';
import type { Batch } from '../../src/storage/session.js';
import { writeSets, type RowSet } from '../../src/write/transaction.js';
import { poolOf } from '../harness/connections.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { idOf, utxoRow } from '../harness/ledger-rows.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
  await poolOf(database.storage).query('CREATE TABLE came_to (height bigint)');
});
afterAll(() => database.close());

const asset = { assetId: idOf('shares'), name: 'Shares', symbol: 'SHR', denomination: 0, type: 'secp256k1' };
const fuji = { network: 'fuji', chain: 'p' } as const;

function setsOf(name: string): RowSet[] {
  return [
    { kind: assetRows, scope: { network: 'mainnet' }, rows: [assetRows.read(asset, { network: 'mainnet' })] },
    { kind: utxoRows, scope: fuji, rows: [utxoRows.read(utxoRow(name, {}, 'fuji'), fuji)] },
  ] as unknown as RowSet[];
}

const noteHeight = (height: number) => (batch: Batch) =>
  batch.query('INSERT INTO came_to VALUES ($1)', [height]);

async function stored() {
  const { rows } = await poolOf(database.storage).query(
    `SELECT (SELECT count(*)::int FROM utxo) AS outputs, (SELECT max(height)::int FROM came_to) AS height`,
  );
  return rows[0] as { outputs: number; height: number | null };
}

test('several kinds, and how far their source has come, are written together', async () => {
  const done = await database.storage.session((session) =>
    writeSets(session, setsOf('first'), noteHeight(7)),
  );
  expect(done.map(({ written }) => written)).toEqual([1, 1]);
  expect(await stored()).toEqual({ outputs: 1, height: 7 });
});

test('or not at all', async () => {
  const failing = async (batch: Batch) => {
    await noteHeight(8)(batch);
    throw new Error('the source is gone');
  };
  const written = database.storage.session((session) => writeSets(session, setsOf('second'), failing));
  await expect(written).rejects.toThrow('the source is gone');
  expect(await stored()).toEqual({ outputs: 1, height: 7 });
});

test('writers that lock the same in another order do not wait for each other for ever', async () => {
  const rounds = Array.from({ length: 6 }, (_, round) =>
    database.storage.session((session) => {
      const sets = setsOf(`round ${round}`);
      return writeSets(session, round % 2 ? sets : sets.toReversed(), noteHeight(9 + round));
    }),
  );
  await Promise.all(rounds);
  expect(await stored()).toEqual({ outputs: 7, height: 14 });
});

test('kinds of a network, of all chains and of one chain lock what they write', () => {
  expect(utxoRows.lock(fuji)).toBe('fuji');
  expect(chainRows.lock({})).toBeNull();
});
