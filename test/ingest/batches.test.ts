import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { utxoRows } from '../../src/resources/utxo/fields.js';
import { isEmpty, loadSample } from '../../src/load-sample.js';
import { loadConfig } from '../../src/config.js';
import { openStorage } from '../../src/storage/open.js';
import { createImportDatabase, dumpLedger, rowVersions, runImport } from '../harness/ingest.js';
import type { ImportDatabase } from '../harness/ingest.js';
import { readSample } from '../harness/sample.js';
import { idOf, transactionRow, utxoRow, withBytes } from '../harness/ledger-rows.js';
import { poolOf } from '../harness/connections.js';
import { countStatements } from '../harness/statements.js';

const log = pino({ level: 'silent' });
let database: ImportDatabase;

beforeEach(async () => {
  database = await createImportDatabase();
});

afterEach(() => database.close());

const count = async (table: string) => {
  const { rows } = await poolOf(database.storage).query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table}`,
  );
  return rows[0]?.count;
};

const outputs = (from: number, to: number, fields: object = {}) =>
  Array.from({ length: to - from }, (_, index) => utxoRow(`output ${from + index}`, fields));

test('a batch that the database refuses leaves nothing, and those before it stay', async () => {
  await poolOf(database.storage).query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no thirteen'; END $$;
     CREATE TRIGGER refuse BEFORE INSERT ON utxo_owner FOR EACH ROW WHEN (NEW.amount = 13) EXECUTE FUNCTION refuse()`,
  );
  const rows = [...outputs(0, 10), ...outputs(10, 15), utxoRow('bad', { amount: '13' }), ...outputs(15, 40)];
  const path = database.write('mainnet.p-chain.utxos.ndjson', rows);
  const limits = { rows: 10, bytes: 1e9 };
  await expect(runImport(database.storage, [path], { limits })).rejects.toThrow('no thirteen');
  expect(await count('utxo')).toBe(10);
  expect(await count('utxo_owner')).toBe(20);

  await poolOf(database.storage).query('DROP TRIGGER refuse ON utxo_owner');
  expect(await runImport(database.storage, [path], { limits })).toMatchObject({ written: 31, unchanged: 10 });
});

test('two imports of the same files at once, in opposite order, make what one makes', async () => {
  const files = [
    database.write('mainnet.p-chain.utxos.ndjson', outputs(0, 300)),
    database.write(
      'mainnet.p-chain.transactions.ndjson.gz',
      Array.from({ length: 100 }, (_, index) =>
        transactionRow(`tx ${index}`, {
          blockNumber: String(index),
          consumedUtxos: outputs(2 * index, 2 * index + 2),
          emittedUtxos: outputs(300 + index, 301 + index),
        }),
      ),
    ),
  ];
  const other = await openStorage(loadConfig({ DATABASE_URL: database.url }), log);
  const limits = { rows: 17, bytes: 1e9 };
  await Promise.all([
    runImport(database.storage, files, { limits }),
    runImport(other, [...files].reverse(), { limits }),
  ]);
  await other.close();
  expect(await count('utxo')).toBe(400);
  const alone = await createImportDatabase();
  await runImport(alone.storage, files);
  expect(await dumpLedger(database.storage)).toEqual(await dumpLedger(alone.storage));
  await alone.close();
});

test('a batch takes as many statements, however many rows it has: new ones, changed ones and the same again', async () => {
  const limits = { rows: 1000, bytes: 1e9 };
  const sent = async (from: number, to: number, fields: object = {}) => {
    const path = database.write('mainnet.p-chain.utxos.ndjson', outputs(from, to, fields));
    const work = () => runImport(database.storage, [path], { limits });
    return (await countStatements(work, { transactions: true })).statements.length;
  };
  // The first one makes what a network needs.
  await sent(0, 10);
  const few = [await sent(10, 20), await sent(10, 20, spent), await sent(10, 20, spent)];
  const many = [await sent(20, 1020), await sent(20, 1020, spent), await sent(20, 1020, spent)];
  expect(await count('utxo')).toBe(1020);
  expect(await count("utxo WHERE consuming_tx_hash <> ''")).toBe(1010);
  expect(many).toEqual(few);
});

const spent = { consumingTxHash: idOf('spender'), consumingBlockNumber: '7', consumingBlockTimestamp: 7 };

test('a line of several megabytes is imported together with small ones', async () => {
  const giant = transactionRow('giant', {
    emittedUtxos: outputs(0, 5000).map((row) => withBytes({ ...row, amount: '0' }, 200)),
  });
  const path = database.write('mainnet.p-chain.transactions.ndjson.gz', [
    transactionRow('small'),
    giant,
    transactionRow('last'),
  ]);
  expect(await runImport(database.storage, [path])).toMatchObject({ rows: 3, written: 3, rejected: 0 });
  expect(await count('transaction_output')).toBe(5000);
});

test('an import that is stopped keeps whole batches and says so', async () => {
  const path = database.write('mainnet.p-chain.utxos.ndjson', outputs(0, 3000));
  const result = await runImport(database.storage, [path, path], { signal: AbortSignal.abort() });
  expect(result.stopped).toBe(true);
  expect(result.rows).toBeLessThan(3000);
  expect(await count('utxo')).toBe(result.rows);
});

describe('numbers', () => {
  test.each([4_294_967_296n, 2n ** 63n, 2n ** 64n - 1n])(
    'of 64 bits such as %s stay exact',
    async (value) => {
      const utxo = utxoRow('big', {
        amount: value.toString(),
        blockNumber: value.toString(),
        platformLocktime: value,
        stakeableLocktime: value,
        utxoStartTimestamp: value,
        utxoEndTimestamp: value,
      });
      const details = {
        startTimestamp: value,
        l1ValidatorDetails: [
          {
            validationId: 'v',
            nodeId: 'n',
            subnetId: 's',
            weight: value,
            remainingBalance: value,
            balanceChange: -5,
          },
        ],
        blockchainInfo: {
          chainName: 'c',
          vmId: 'v',
          genesisData: { airdropAmount: null, config: { chainId: value }, nonce: null },
        },
      };
      const transaction = transactionRow('tx', { ...details, emittedUtxos: [utxo] });
      const path = database.write('mainnet.p-chain.transactions.ndjson', [transaction]);
      expect(await runImport(database.storage, [path])).toMatchObject({ written: 1, rejected: 0 });
      const { rows } = await poolOf(database.storage).query<{ text: string }>(
        `SELECT ${utxoRows.columns['text']} AS text FROM ${utxoRows.from}`,
      );
      for (const name of ['platformLocktime', 'stakeableLocktime', 'utxoStartTimestamp', 'utxoEndTimestamp'])
        expect(rows[0]?.text).toMatch(new RegExp(`"${name}":${value}[,}]`));
      expect(rows[0]?.text).toContain(`"amount":"${value}"`);
      const stored = await poolOf(database.storage).query<{ text: string }>(
        `SELECT details->>'startTimestamp' || ' ' || (details#>>'{l1ValidatorDetails,0,weight}') || ' '
         || (details#>>'{blockchainInfo,genesisData,config,chainId}') || ' ' || (details#>'{blockchainInfo,genesisData}') AS text
       FROM transaction`,
      );
      expect(stored.rows[0]?.text).toBe(
        `${value} ${value} ${value} {"config": {"chainId": ${value}}, "airdropAmount": null}`,
      );
      const before = await rowVersions(database.storage);
      expect(await runImport(database.storage, [path])).toMatchObject({ written: 0, unchanged: 1 });
      expect(await rowVersions(database.storage)).toEqual(before);
    },
  );
});

describe('the generated sample', () => {
  test('fills an empty database, and loading it again writes nothing', async () => {
    expect(await isEmpty(database.storage)).toBe(true);
    const first = await loadSample(database.storage, log);
    // Running totals are computed from the days; their rows are only checked.
    const totals = readSample()
      .rowsOf<{ metric: string }>('fuji.subnet-metrics')
      .filter(({ metric }) => metric === 'perSubnetCumulativeFeesPaid');
    expect(first.written).toBe(first.rows - totals.length);
    expect(first.rows).toBeGreaterThan(3000);
    expect(await isEmpty(database.storage)).toBe(false);
    const before = await rowVersions(database.storage);
    expect(await loadSample(database.storage, log)).toMatchObject({ rows: first.rows, written: 0 });
    expect(await rowVersions(database.storage)).toEqual(before);
  });
});
