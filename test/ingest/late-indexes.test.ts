import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import type { FileKind } from '../../src/ingest/kind.js';
import { fileKinds } from '../../src/resources.js';
import { openServices } from '../../src/services.js';
import { openStorage } from '../../src/storage/open.js';
import { dropLateIndexes } from '../../src/storage/late-indexes.js';
import { poolOf } from '../harness/connections.js';
import { createImportDatabase, runImport, type ImportDatabase, type RunImport } from '../harness/ingest.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';

const log = pino({ level: 'silent' });
let database: ImportDatabase;
beforeEach(async () => {
  database = await createImportDatabase();
});
afterEach(() => database.close());

async function read<T>(sql: string): Promise<T[]> {
  const { rows } = await poolOf(database.storage).query<[T]>({ text: sql, rowMode: 'array' });
  return rows.map(([value]) => value);
}

const indexes = () => read<string>('SELECT indexdef FROM pg_indexes ORDER BY 1');
const late = () => read<string>('SELECT name FROM late_index ORDER BY 1');

const utxoIndexes = [
  'address_balance_holder_idx',
  ...['amount', 'asset_amount', 'asset_time', 'time'].map((name) => `utxo_owner_${name}_idx`),
];
const outputs = Array.from({ length: 9 }, (_, number) =>
  utxoRow(`output ${number}`, { addresses: [addressOf(`owner ${number % 2}`)] }),
);

/** The kind, which notes what it finds after each batch. */
function noting(kind: FileKind, seen: string[][], find: () => Promise<string[]>): FileKind {
  const write: typeof kind.rows.write = async (...given) => {
    const written = await kind.rows.write(...given);
    seen.push(await find());
    return written;
  };
  return { ...kind, rows: { ...kind.rows, write } };
}

/** Imports outputs, which indexes are late for, and tells which were late at each batch. */
async function importOutputs(rows = outputs) {
  const seen: string[][] = [];
  const kinds = fileKinds.map((kind) => (kind.rows.indexedLate ? noting(kind, seen, late) : kind));
  const path = database.write('mainnet.p-chain.utxos.ndjson', rows);
  const limits = { rows: 3, bytes: 1e9 };
  const imported: RunImport = await runImport(database.storage, [path], { kinds, limits, indexLateFrom: 1 });
  return { imported, seen };
}

test('an import into empty tables makes their indexes afterwards, and they are the same', async () => {
  const before = await indexes();
  const { imported, seen } = await importOutputs();
  expect(imported).toMatchObject({ written: 9, rejected: 0 });
  expect(seen).toEqual([utxoIndexes, utxoIndexes, utxoIndexes]);
  expect(await late()).toEqual([]);
  expect(await indexes()).toEqual(before);
  expect(imported.lines).toEqual(['creating the indexes of the imported data']);
});

test('transactions have those of histories made afterwards as well, and then the addresses of days counted', async () => {
  const before = await indexes();
  const rows = ['one', 'two', 'three'].map((name, number) =>
    transactionRow(name, {
      blockTimestamp: 86_400 * (1 + (number >> 1)),
      emittedUtxos: [utxoRow(`of ${name}`, { txHash: idOf(name) })],
    }),
  );
  const seen: string[][] = [];
  const path = database.write('mainnet.p-chain.transactions.ndjson', rows);
  const kinds = fileKinds.map((kind) => noting(kind, seen, late));
  const options = { kinds, indexLateFrom: 1 };
  await runImport(database.storage, [path], { ...options, limits: { rows: 3, bytes: 1e9 } });
  expect(seen).toEqual([
    [
      'active_address_day_filled',
      'address_balance_holder_idx',
      'address_transaction_open_idx',
      'address_transaction_time_idx',
      'address_transaction_type_time_idx',
      'asset_transaction_time_idx',
      'asset_transaction_type_time_idx',
      'block_hash_idx',
      'block_proposer_idx',
    ].concat(utxoIndexes.slice(1)),
  ]);
  expect(await indexes()).toEqual(before);
  const counted =
    "SELECT concat_ws(' ', day, scope, active, newcomers) FROM active_address_day ORDER BY day, scope";
  expect(await read(counted)).toEqual(['1 p 1 1', '1 network 1 1', '2 p 1 0', '2 network 1 0']);
  // From here on each batch counts.
  const more = transactionRow('four', { blockTimestamp: 7, emittedUtxos: [utxoRow('of four')] });
  await runImport(database.storage, [database.write('mainnet.p-chain.transactions.more.ndjson', [more])]);
  expect(await read(counted)).toEqual([
    '0 p 1 1',
    '0 network 1 1',
    '1 p 1 0',
    '1 network 1 0',
    '2 p 1 0',
    '2 network 1 0',
  ]);
});

test('tables that hold rows keep their indexes', async () => {
  await importOutputs();
  const { seen } = await importOutputs([utxoRow('another', { addresses: [addressOf('owner 1')] })]);
  expect(seen).toEqual([[]]);
});

test('files that are small keep them too', async () => {
  const before = await indexes();
  const path = database.write('mainnet.p-chain.utxos.ndjson', outputs);
  const seen: string[][] = [];
  const kinds = fileKinds.map((kind) => noting(kind, seen, indexes));
  await runImport(database.storage, [path], { kinds, indexLateFrom: 1e6 });
  expect(seen).toEqual([before]);
});

test('nothing is put off once a gateway has run on the database', async () => {
  const { stopJobs, close } = await openServices(
    loadConfig({ DATABASE_URL: database.url, SAMPLE: 'off' }),
    log,
  );
  await stopJobs();
  await close();
  const { seen } = await importOutputs();
  expect(seen).toEqual([[], [], []]);
});

test('a gateway that starts meanwhile makes the indexes before it serves', async () => {
  const before = await indexes();
  const client = await poolOf(database.storage).connect();
  expect(await dropLateIndexes(client, ['utxo_owner', 'address_balance'])).toHaveLength(utxoIndexes.length);
  client.release();
  const { stopJobs, close } = await openServices(
    loadConfig({ DATABASE_URL: database.url, SAMPLE: 'off' }),
    log,
  );
  expect(await indexes()).toEqual(expect.arrayContaining(before));
  expect(await late()).toEqual([]);
  await stopJobs();
  await close();
});

test('a table in use is left as it is', async () => {
  const reader = await poolOf(database.storage).connect();
  await reader.query('BEGIN; SELECT FROM utxo_owner');
  const client = await poolOf(database.storage).connect();
  expect(await dropLateIndexes(client, ['address_balance', 'utxo_owner'])).toEqual([]);
  await reader.query('ROLLBACK');
  expect(await late()).toEqual([]);
  reader.release();
  client.release();
});

test('with MIGRATE=off a start names what is missing; without, several starts at once make it once', async () => {
  const before = await indexes();
  const client = await poolOf(database.storage).connect();
  await dropLateIndexes(client, ['utxo_owner']);
  client.release();
  const open = (MIGRATE: string) => openStorage(loadConfig({ DATABASE_URL: database.url, MIGRATE }), log);
  await expect(open('off')).rejects.toThrow(
    /is missing 4 index\(es\) that an import postponed, the first is utxo_owner_amount_idx.*moraine migrate/,
  );
  const opened = await Promise.all([open('auto'), open('auto'), open('auto')]);
  expect(await indexes()).toEqual(before);
  await Promise.all(opened.map((storage) => storage.close()));
  await (await open('off')).close();
});
