import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { blockchainIds, nativeAssetIds } from '../../src/avalanche/networks.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { poolOf } from '../harness/connections.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());
beforeEach(() =>
  poolOf(database.storage).query(
    'TRUNCATE utxo, utxo_owner, address_balance, transaction, address, asset CASCADE',
  ),
);

/** The balances as the outputs add up to them. */
const fromOutputs = `
  SELECT o.address_id, o.chain, o.asset_row_id,
    count(*), coalesce(sum(o.amount) FILTER (WHERE NOT o.spent), 0), sum(o.amount),
    count(*) FILTER (WHERE o.chain = u.created_on),
    coalesce(sum(o.amount) FILTER (WHERE o.chain = u.created_on AND NOT o.spent), 0),
    coalesce(sum(o.amount) FILTER (WHERE o.chain = u.created_on), 0)
  FROM utxo_owner o JOIN utxo u ON u.id = o.utxo_row_id JOIN address a ON a.id = o.address_id
  WHERE a.address <> ''
  GROUP BY o.address_id, o.chain, o.asset_row_id`;

async function expectBalances(): Promise<string[][]> {
  const read = async (sql: string) => {
    const text = `SELECT * FROM (${sql}) b ORDER BY 1, 2, 3`;
    return (await poolOf(database.storage).query<string[]>({ text, rowMode: 'array' })).rows;
  };
  const kept = await read('SELECT * FROM address_balance');
  expect(kept).toEqual(await read(fromOutputs));
  return kept;
}

const { p, x } = blockchainIds.mainnet;
const owners = ['anna', 'ben', 'cleo'].map((name) => addressOf(name));
const row = fc
  .record(
    {
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      addresses: fc.subarray(owners, { minLength: 1 }),
      assetId: fc.constantFrom(nativeAssetIds.mainnet, idOf('another asset')),
      amount: fc.constantFrom('0', '7', '18446744073709551615'),
      chains: fc.constantFrom([p, p], [p, x], [x, p]),
      consumingTxHash: fc.constantFrom(idOf('taker')),
      staked: fc.boolean(),
    },
    { requiredKeys: ['name', 'addresses', 'assetId', 'amount', 'chains'] },
  )
  .map(({ name, chains, ...fields }) =>
    utxoRow(name, { ...fields, createdOnChainId: chains[0], consumedOnChainId: chains[1] }),
  );

let files = 0;

test('balances are what the outputs add up to, whatever rows come, come again or correct earlier ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 4 }), async (imports) => {
      await poolOf(database.storage).query(
        'TRUNCATE utxo, utxo_owner, address_balance, transaction, address, asset CASCADE',
      );
      for (const rows of imports) {
        const path = database.write(`mainnet.p-chain.utxos.${(files += 1)}.ndjson`, rows);
        await runImport(database.storage, [path], { limits: { rows: 3, bytes: 1e9 } });
        await expectBalances();
      }
    }),
    { numRuns: 40 },
  );
});

test('a transaction that spends an output takes it from what its owner has unspent', async () => {
  const output = utxoRow('spent', { addresses: [owners[0]], amount: '5' });
  const spender = transactionRow('taker', {
    consumedUtxos: [{ ...output, consumingTxHash: idOf('taker') }],
    emittedUtxos: [utxoRow('change', { addresses: [owners[1]], amount: '4', txHash: idOf('taker') })],
  });
  await runImport(database.storage, [database.write('mainnet.p-chain.utxos.spent.ndjson', [output])]);
  await runImport(database.storage, [database.write('mainnet.p-chain.transactions.taker.ndjson', [spender])]);
  await expectBalances();
  const { rows } = await poolOf(database.storage).query(
    'SELECT address, unspent, received FROM address_balance b JOIN address a ON a.id = b.address_id ORDER BY received',
  );
  expect(rows).toEqual([
    { address: owners[1], unspent: '4', received: '4' },
    { address: owners[0], unspent: '0', received: '5' },
  ]);
});

test("an address whose only output was another's after all has no balance", async () => {
  for (const [file, owner] of owners.slice(0, 2).entries()) {
    const rows = [utxoRow('moved', { addresses: [owner] })];
    await runImport(database.storage, [database.write(`mainnet.p-chain.utxos.moved${file}.ndjson`, rows)]);
  }
  expect(await expectBalances()).toHaveLength(1);
});

test('two outputs of one owner that swap chains in one batch change what was created on each of them', async () => {
  const between = (name: string, amount: string, [created, consumed]: string[]) =>
    utxoRow(name, { amount, createdOnChainId: created, consumedOnChainId: consumed });
  const before = [between('a', '7', [p, x]), between('b', '5', [x, p])];
  const after = [between('a', '7', [x, p]), between('b', '5', [p, x])];
  for (const [file, rows] of [before, after].entries())
    await runImport(database.storage, [database.write(`mainnet.p-chain.utxos.swapped${file}.ndjson`, rows)]);
  await expectBalances();
  const { rows } = await poolOf(database.storage).query(
    'SELECT chain, received, created_unspent, created_received FROM address_balance ORDER BY chain',
  );
  expect(rows).toEqual([
    { chain: 'p', received: '12', created_unspent: '5', created_received: '5' },
    { chain: 'x', received: '12', created_unspent: '7', created_received: '7' },
  ]);
});
