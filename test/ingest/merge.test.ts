import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { poolOf } from '../harness/connections.js';
import { addressOf, idOf, outputId, transactionRow, utxoRow, withBytes } from '../harness/ledger-rows.js';
import {
  createImportDatabase,
  dumpLedger,
  rowVersions,
  runImport,
  type ImportDatabase,
} from '../harness/ingest.js';
import { fact, fieldsOf, knownFrom } from '../harness/output-facts.js';
import { storedOutput, storedOutputsOf } from '../harness/stored-rows.js';

let database: ImportDatabase;

beforeAll(async () => {
  database = await createImportDatabase();
});

afterAll(() => database.close());

let files = 0;

/** Imports rows of mainnet's P-chain, one file each run. */
function take(kind: 'utxos' | 'transactions', rows: readonly object[], batch = 1000) {
  const path = database.write(`mainnet.p-chain.${kind}.${(files += 1)}.ndjson`, rows);
  return runImport(database.storage, [path], { limits: { rows: batch, bytes: 1e9 } });
}

const stored = (name: string) => storedOutput(database.storage, outputId(name));

describe('rows about one output', () => {
  test('add up: what any of them knows is kept', async () => {
    await take('utxos', [utxoRow('sum', { blockNumber: '7', threshold: 1 })]);
    await take('utxos', [utxoRow('sum', { blockTimestamp: 9, rewardType: 'DELEGATOR', blockNumber: '' })]);
    expect(await stored('sum')).toMatchObject({
      block_number: '7',
      block_timestamp: '9',
      threshold: '1',
      reward_type: 'DELEGATOR',
    });
  });

  test('let the last one count where both know', async () => {
    await take('utxos', [utxoRow('last', { amount: '5', blockTimestamp: 1 })]);
    await take('utxos', [utxoRow('last', { amount: '6', addresses: [addressOf('ben')], blockTimestamp: 2 })]);
    expect(await stored('last')).toMatchObject({ amount: '6', addresses: [addressOf('ben')] });
    const { rows } = await poolOf(database.storage).query(
      `SELECT d.address, o.amount, o.time FROM utxo_owner o JOIN address d ON d.id = o.address_id
       JOIN utxo u ON u.id = o.utxo_row_id WHERE u.utxo_id = $1 ORDER BY d.address`,
      [outputId('last')],
    );
    expect(rows).toEqual([
      { address: '', amount: '6', time: '2' },
      { address: addressOf('ben'), amount: '6', time: '2' },
    ]);
  });

  test('hide the consumer of an output while it is staked', async () => {
    await take('utxos', [utxoRow('hidden', { staked: true, consumingTxHash: idOf('taker') })]);
    expect(await stored('hidden')).toMatchObject({ spent: false, staked: true });
    await take('utxos', [utxoRow('hidden', { staked: false })]);
    expect(await stored('hidden')).toMatchObject({ spent: true, consuming_tx_hash: idOf('taker') });
  });

  test('do not stake again what was spent', async () => {
    for (const [name, first] of Object.entries({
      silent: { consumingTxHash: idOf('taker') },
      explicit: { consumingTxHash: idOf('taker'), staked: false },
    })) {
      await take('utxos', [utxoRow(name, first)]);
      await take('utxos', [utxoRow(name, { staked: true })]);
      expect(await stored(name)).toMatchObject({ spent: true, consuming_tx_hash: idOf('taker') });
    }
  });

  test('are one output on each network', async () => {
    const fuji = database.write('fuji.p-chain.utxos.ndjson', [utxoRow('both', { amount: '2' }, 'fuji')]);
    await take('utxos', [utxoRow('both', { amount: '1' })]);
    await runImport(database.storage, [fuji]);
    const { rows } = await poolOf(database.storage).query(
      `SELECT network, amount FROM utxo WHERE utxo_id = $1 ORDER BY network`,
      [outputId('both')],
    );
    expect(rows).toEqual([
      { network: 'mainnet', amount: '1' },
      { network: 'fuji', amount: '2' },
    ]);
  });

  test('list an exported output under both chains, a local one under its own', async () => {
    await take('utxos', [
      utxoRow('export', { consumedOnChainId: blockchainIds.mainnet.x }),
      utxoRow('local'),
    ]);
    const { rows } = await poolOf(database.storage).query<{ utxo_id: string; chains: string }>(
      `SELECT u.utxo_id, string_agg(o.chain || ':' || d.address, ' ' ORDER BY o.chain, d.address) AS chains
       FROM utxo_owner o JOIN utxo u ON u.id = o.utxo_row_id JOIN address d ON d.id = o.address_id
       WHERE u.utxo_id = ANY($1) GROUP BY 1`,
      [[outputId('export'), outputId('local')]],
    );
    const anna = addressOf('anna');
    expect(Object.fromEntries(rows.map((row) => [row.utxo_id, row.chains]))).toEqual({
      [outputId('export')]: `p: p:${anna} x: x:${anna}`,
      [outputId('local')]: `p: p:${anna}`,
    });
  });
});

describe('a transaction that spends an output', () => {
  const spend = (name: string, output: object) =>
    transactionRow(`spends ${name}`, { blockNumber: '12', consumedUtxos: [output] });

  test('marks it spent whichever came first', async () => {
    await take('utxos', [utxoRow('before', { blockNumber: '3' })]);
    await take('transactions', [spend('before', utxoRow('before'))]);
    await take('transactions', [spend('after', utxoRow('after'))]);
    await take('utxos', [utxoRow('after', { blockNumber: '3' })]);
    for (const name of ['before', 'after']) {
      expect(await stored(name)).toMatchObject({
        spent: true,
        states: 1,
        block_number: '3',
        consuming_tx_hash: idOf(`spends ${name}`),
        consuming_block_number: '12',
        consuming_block_timestamp: '1700000000',
      });
    }
  });

  test('replaces its lists when they differ, and only then', async () => {
    const row = (outputs: string[]) =>
      transactionRow('lists', { emittedUtxos: outputs.map((name) => utxoRow(name)) });
    await take('transactions', [row(['one', 'two', 'three'])]);
    const second = await take('transactions', [row(['three', 'one'])]);
    expect(second.written).toBe(1);
    expect(await storedOutputsOf(database.storage, idOf('lists'))).toEqual([
      outputId('three'),
      outputId('one'),
    ]);
    const before = await rowVersions(database.storage);
    expect(await take('transactions', [row(['three', 'one'])])).toMatchObject({ written: 0, unchanged: 1 });
    expect(await rowVersions(database.storage)).toEqual(before);
  });

  test('keeps details that a later row leaves out, and a known type over an unknown one', async () => {
    await take('transactions', [
      transactionRow('more', { txType: 'ExportTx', memo: '0x00', nodeId: 'NodeID-1' }),
    ]);
    await take('transactions', [transactionRow('more', { txType: 'SomethingNewTx', memo: '0x01' })]);
    const { rows } = await poolOf(database.storage).query(
      `SELECT tx_type, details FROM transaction WHERE tx_hash = $1`,
      [idOf('more')],
    );
    const none = { value: [], amountBurned: [], amountStaked: [], amountL1ValidatorBalanceBurned: [] };
    expect(rows).toEqual([{ tx_type: 'ExportTx', details: { ...none, memo: '0x01', nodeId: 'NodeID-1' } }]);
  });
});

test('property: any order, batching and repetition of rows gives what a naive model knows', async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ output: fc.nat(3), fact }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (rows, batch) => {
        round += 1;
        const name = (output: number) => `round ${round} output ${output}`;
        await take(
          'utxos',
          rows.map((row) => utxoRow(name(row.output), fieldsOf(row.fact))),
          batch,
        );
        for (const output of new Set(rows.map((row) => row.output))) {
          const known = rows.filter((row) => row.output === output).map((row) => row.fact);
          expect(await stored(name(output))).toMatchObject(knownFrom(known));
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('a row imported again in another file writes nothing', async () => {
  const { utxoBytes, ...row } = withBytes(
    utxoRow('again', { staked: true, utxoType: 'STAKE', stakeableLocktime: 2n ** 64n - 1n }),
  );
  const rows = [{ ...row, utxoBytes: utxoBytes.replaceAll(/[a-f]/g, (digit) => digit.toUpperCase()) }];
  await take('utxos', rows);
  const before = {
    versions: await rowVersions(database.storage),
    ledger: await dumpLedger(database.storage),
  };
  expect(await take('utxos', rows)).toMatchObject({ written: 0, unchanged: 1 });
  expect({
    versions: await rowVersions(database.storage),
    ledger: await dumpLedger(database.storage),
  }).toEqual(before);
});
