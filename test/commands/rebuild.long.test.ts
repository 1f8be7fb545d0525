import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { blockchainIds, networks } from '../../src/avalanche/networks.js';
import { readMigrations } from '../../src/storage/migration-files.js';
import { inWriteTransaction } from '../../src/write/transaction.js';
import { connectTo, poolOf } from '../harness/connections.js';
import { expectDerived } from '../harness/derived-model.js';
import { createImportDatabase, dumpLedger, runImport, type ImportDatabase } from '../harness/ingest.js';
import { launch } from '../harness/launched.js';
import { addressOf, idOf, utxoRow } from '../harness/ledger-rows.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
  await runImport(database.storage, [
    database.write('mainnet.p-chain.utxos.ndjson', outputs('mainnet')),
    database.write('fuji.p-chain.utxos.ndjson', outputs('fuji')),
  ]);
});
afterAll(() => database.close());

/**
 * Outputs of four owners, each alone or with the next: spent ones, locked ones, staked ones and exports in
 * flight.
 */
function outputs(network: 'mainnet' | 'fuji'): object[] {
  const { p, x } = blockchainIds[network];
  const owner = (number: number) => addressOf(`owner ${number % 4}`, network);
  return Array.from({ length: 60 }, (_, number) => {
    const fields = {
      addresses: number % 5 === 0 ? [owner(number), owner(number + 1)] : [owner(number)],
      threshold: 1 + (number % 2),
      amount: String(number),
      blockTimestamp: 1_700_000_000 + 40_000 * (number % 7),
      ...(number % 3 === 0 && {
        consumingTxHash: idOf(`taker ${number}`),
        consumingBlockTimestamp: 1_701_000_000,
      }),
      ...(number % 4 === 1 && {
        platformLocktime: 1_900_000_000,
        stakeableLocktime: 1_900_000_000 + (number % 3),
      }),
      ...(number % 6 === 5 && { consumedOnChainId: x, createdOnChainId: p }),
      ...(number % 8 === 2 && { staked: true }),
    };
    return utxoRow(`${network} ${number}`, fields, network);
  });
}

const query = (sql: string) => poolOf(database.storage).query(sql);

async function rebuild(...args: string[]) {
  const command = launch(['rebuild', ...args], { DATABASE_URL: database.url });
  const { code } = await command.ended;
  return { code, output: command.output() };
}

const tables = ['utxo_owner', 'address_balance', 'address_holding', 'holding_output', 'address_day'];
/** Those of transactions and messages, of which there are none here. */
const others = ['transaction_day', 'stake_day', 'active_address_day', 'message_day'];
const nothing = tables.map((name) => `${name}: nothing differs\n`).join('');

/** Rows that are missing, wrong and too many, in all tables. */
const corrupt = () =>
  query(
    `DELETE FROM utxo_owner WHERE utxo_row_id % 3 = 0;
     UPDATE utxo_owner SET spent = NOT spent, amount = amount + 1 WHERE utxo_row_id % 3 = 1;
     INSERT INTO utxo_owner SELECT utxo_row_id + 1000000, address_id, chain, asset_row_id, spent, time, amount, tie
       FROM utxo_owner LIMIT 5;
     DELETE FROM address_balance WHERE address_id % 3 = 0;
     UPDATE address_balance SET unspent = unspent + 1 WHERE address_id % 3 = 1;
     INSERT INTO address_balance SELECT address_id + 1000000, chain, asset_row_id, 1, 1, 1, 1, 1, 1 FROM address_balance LIMIT 2;
     DELETE FROM address_holding WHERE id % 3 = 0;
     UPDATE address_holding SET amount = amount + 1 WHERE id % 3 = 1;
     UPDATE address_holding SET until = until + 7 WHERE id % 6 = 2;
     DELETE FROM holding_output WHERE utxo_row_id % 3 = 0;
     UPDATE holding_output SET amount = amount + 1 WHERE utxo_row_id % 3 = 1;
     DELETE FROM address_day WHERE day % 3 = 0;
     UPDATE address_day SET sent = sent + 1 WHERE day % 3 = 1;
     INSERT INTO address_day SELECT address_id, asset_row_id, day + 1000000, received, sent FROM address_day LIMIT 2`,
  );

let whole: Awaited<ReturnType<typeof dumpLedger>>;
beforeEach(async () => {
  await expectDerived(database.storage);
  whole = await dumpLedger(database.storage);
});

test('a check of what an import wrote finds nothing and exits with 0', async () => {
  const { code, output } = await rebuild('--check');
  expect(output).toContain(nothing);
  expect(code).toBe(0);
});

test('a check names what differs, changes nothing and exits with 1; then a rebuild corrects it all', async () => {
  await corrupt();
  const corrupted = await dumpLedger(database.storage);
  const checked = await rebuild('--check');
  for (const name of tables)
    expect(checked.output).toMatch(
      new RegExp(
        `^${name}: [1-9]\\d* rows are missing or wrong, [1-9]\\d* should not exist; one of them: \\w+=\\w+`,
        'm',
      ),
    );
  expect(checked.output).toContain('Nothing was changed');
  expect(checked.code).toBe(1);
  expect(await dumpLedger(database.storage)).toEqual(corrupted);

  const { code, output } = await rebuild();
  expect(output).toMatch(/^utxo_owner: [1-9]\d* rows written, [1-9]\d* deleted/m);
  expect(code).toBe(0);
  expect(await dumpLedger(database.storage)).toEqual(whole);
  await expectDerived(database.storage);
  expect((await rebuild()).output).toContain(nothing);
});

test('empty tables are filled from the outputs, and a later import goes on from there', async () => {
  await query(`TRUNCATE ${tables.join(', ')}`);
  expect(await rebuild()).toMatchObject({ code: 0 });
  expect(await dumpLedger(database.storage)).toEqual(whole);
  const spent = outputs('mainnet').map((row) => ({ ...row, consumingTxHash: idOf('the last taker') }));
  await runImport(database.storage, [database.write('mainnet.p-chain.utxos.spent.ndjson', spent)]);
  await expectDerived(database.storage);
});

test('named tables are rebuilt alone, and one of members with the table that it belongs to', async () => {
  await query('TRUNCATE address_balance, address_day, holding_output');
  const { code, output } = await rebuild('address_day', 'holding_output');
  expect(code).toBe(0);
  expect(output).toMatch(
    /address_holding: nothing differs\nholding_output: [1-9]\d* rows written, 0 deleted/,
  );
  expect(output).toContain('address_day: ');
  expect(output).not.toContain('address_balance');
  expect((await query('SELECT 1 FROM address_balance')).rowCount).toBe(0);
  expect(await rebuild('address_balance')).toMatchObject({ code: 0 });
});

test('a name of no derived table is refused with the names that there are', async () => {
  const { code, output } = await rebuild('utxo');
  expect(code).toBe(1);
  expect(output).toContain(
    `utxo is not a table that can be rebuilt: these are ${[...tables, ...others].join(', ')}`,
  );
});

test('a rebuild waits for a batch of an import that is being written', async () => {
  let running: ReturnType<typeof rebuild> | undefined;
  await query('TRUNCATE address_balance');
  await database.storage.session((session) =>
    inWriteTransaction(session, ['fuji'], async (batch) => {
      running = rebuild('address_balance');
      const waits =
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
      while ((await query(waits)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      await batch.query('UPDATE utxo SET amount = amount + 1 WHERE network = $1', ['fuji']);
    }),
  );
  expect(await running).toMatchObject({ code: 0 });
  expect(await rebuild()).toMatchObject({ code: 0 });
});

const outputNamed = (name: string) => {
  const { utxoId, txHash, outputIndex } = utxoRow(name);
  return { utxoId, txHash, outputIndex };
};

test('sums of an earlier version, in which NFTs counted as nothing, are corrected by a migration', async () => {
  const { x } = blockchainIds.mainnet;
  const nfts = Array.from({ length: 24 }, (_, number) => ({
    ...outputs('mainnet')[number],
    ...outputNamed(`nft ${number}`),
    assetId: idOf(`set ${number % 2}`),
    amount: '0',
    createdOnChainId: x,
    consumedOnChainId: number % 5 === 0 ? blockchainIds.mainnet.p : x,
  }));
  await runImport(database.storage, [database.write('mainnet.x-chain.utxos.ndjson', nfts)]);
  // Without bytes they are as they were when bytes were not looked at.
  await query(`UPDATE utxo SET utxo_bytes = decode(repeat('00', 70) || '0000000b', 'hex') WHERE amount = 0`);
  const [baseline] = await readMigrations();
  const { sql = '' } = baseline?.replaces?.kept.find(({ name }) => name.endsWith('_nft_outputs')) ?? {};
  // It waits for who writes: half of what that writes would be counted.
  const client = await connectTo(database.url);
  onTestFinished(() => client.end());
  for (const network of networks)
    await database.storage.session((session) =>
      inWriteTransaction(session, [network], async (batch) => {
        // The locks are sent with the first statement.
        await batch.query('SELECT 1');
        await client.query("BEGIN; SET LOCAL lock_timeout = '200ms'");
        const done = client.query(sql).finally(() => client.query('ROLLBACK'));
        await expect(done).rejects.toThrow('lock timeout');
      }),
    );
  await query(sql);
  await expectDerived(database.storage);
  expect((await rebuild('--check')).output).toContain(nothing);
});
