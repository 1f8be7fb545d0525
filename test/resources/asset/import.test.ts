import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedAssets } from '../../harness/stored-rows.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../../harness/ingest.js';
import { idOf, transactionRow, utxoRow } from '../../harness/ledger-rows.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());

let files = 0;
const take = (name: string, rows: object[]) =>
  runImport(database.storage, [database.write(`mainnet.${name}.${(files += 1)}.ndjson`, rows)]);

const assetId = idOf('asset');
const find = () => storedAssets(database.storage, assetId);
const described = { name: 'Coin', symbol: 'CN', denomination: 3, type: 'nft' };
/** As a database without a description exports it. */
const empty = { assetId, name: '', symbol: '', denomination: 0, type: 'secp256k1' };

test('an asset keeps an empty name until a row describes it, and its description after that', async () => {
  await take('p-chain.utxos', [utxoRow('coin 1', { assetId })]);
  expect(await find()).toEqual([{ name: '', symbol: '', denomination: 0, type: 'secp256k1' }]);
  const value = [{ assetId, amount: '1', ...described }];
  await take('p-chain.transactions', [transactionRow('coins', { value })]);
  expect(await find()).toEqual([described]);
  await take('p-chain.utxos', [utxoRow('coin 2', { assetId })]);
  expect(await find()).toEqual([described]);
});

test('a file of assets adds those that it does not describe, and describes others anew', async () => {
  await take('assets', [empty, { ...empty, assetId: idOf('new') }]);
  expect(await find()).toEqual([described]);
  expect(await storedAssets(database.storage, idOf('new'))).toHaveLength(1);
  const other = { name: 'Renamed', symbol: 'RN', denomination: 4, type: 'nft' };
  const { written, unchanged } = await take('assets', [empty, { assetId, ...other }, empty]);
  expect({ written, unchanged }).toEqual({ written: 1, unchanged: 2 });
  expect(await find()).toEqual([other]);
});
