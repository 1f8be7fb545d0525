import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { blockchainIds, nativeAssetIds } from '../../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { idOf, transactionRow, utxoRow } from '../../harness/ledger-rows.js';
import { expectList, paging } from '../../harness/list-model.js';
import { importRows } from '../../harness/seed.js';

const NOW = 1_700_000_000;
const X = { createdOnChainId: blockchainIds.fuji.x, consumedOnChainId: blockchainIds.fuji.x };
const assets = [nativeAssetIds.fuji, idOf('gold'), idOf('silver')] as const;
const types = ['BaseTx', 'OperationTx'] as const;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(() => clear());

const clear = () =>
  poolOf(gateway.storage).query(
    'TRUNCATE transaction, transaction_output, transaction_input, utxo, utxo_owner, asset, asset_transaction CASCADE',
  );

interface Made {
  type: (typeof types)[number];
  time: number;
  consumed: (typeof assets)[number][];
  emitted: (typeof assets)[number][];
}

const made: fc.Arbitrary<Made> = fc.record({
  type: fc.constantFrom(...types),
  time: fc.integer({ min: NOW, max: NOW + 3 }),
  consumed: fc.array(fc.constantFrom(...assets), { maxLength: 2 }),
  emitted: fc.array(fc.constantFrom(...assets), { maxLength: 2 }),
});

/** Each consumes outputs of a transaction of its own. */
function rowOf({ type, time, consumed, emitted }: Made, name: string) {
  const output = (kind: string, assetId: string, index: number) =>
    utxoRow(`${kind} ${index} of ${name}`, { ...X, assetId }, 'fuji');
  return transactionRow(name, {
    txType: type,
    blockTimestamp: time,
    consumedUtxos: consumed.map((asset, index) => ({
      ...output('consumed', asset, index),
      consumingTxHash: idOf(name),
    })),
    emittedUtxos: emitted.map((asset, index) => ({
      ...utxoRow(
        `emitted ${index} of ${name}`,
        { ...X, assetId: asset, txHash: idOf(name), outputIndex: index },
        'fuji',
      ),
    })),
  });
}

const importAll = (all: readonly Made[]) =>
  importRows(
    gateway.storage,
    'fuji.x-chain.transactions',
    all.map((each, index) => rowOf(each, `transaction ${index}`)),
  );

test('the transactions of an asset are those that consumed or emitted an output of it, for any asset, types, times and order', async () => {
  const query = fc.record({
    assetId: fc.constantFrom(...assets),
    txTypes: fc.constantFrom<(readonly string[] | null)[]>(null, ['OperationTx'], types),
    since: fc.constantFrom(null, NOW + 1),
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    ...paging(4),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(made, { maxLength: 12 }),
      fc.array(query, { minLength: 3, maxLength: 4 }),
      async (all, queries) => {
        await clear();
        await importAll(all);
        for (const { assetId, txTypes, since, sortOrder, ...page } of queries) {
          const expected = all
            .map((each, index) => ({ ...each, hash: idOf(`transaction ${index}`) }))
            .filter(({ consumed, emitted }) => [...consumed, ...emitted].includes(assetId))
            .filter(({ type }) => txTypes === null || txTypes.includes(type))
            .filter(({ time }) => since === null || time >= since)
            .sort((a, b) => a.time - b.time || (a.hash < b.hash ? -1 : 1))
            .map(({ hash }) => hash);
          await expectList(gateway, {
            field: `assetTransactions(network: fuji, assetId: "${assetId}", txTypes: ${txTypes && `[${txTypes.join(', ')}]`}, since: ${since}, sortOrder: ${sortOrder}`,
            key: 'txHash',
            expected: sortOrder === 'asc' ? expected : expected.reverse(),
            ...page,
          });
        }
      },
    ),
    { numRuns: 15 },
  );
});

const listed = async (assetId: string) => {
  const { data } = await gateway.graphql<{ assetTransactions: { nodes: { txHash: string }[] } }>(
    `{ assetTransactions(network: fuji, assetId: "${assetId}") { nodes { txHash } } }`,
  );
  return data.assetTransactions.nodes.map(({ txHash }) => txHash);
};

test('an output that turns out to be of another asset moves its transactions', async () => {
  const [, gold, silver] = assets;
  const one = { type: 'BaseTx', time: NOW, consumed: [], emitted: [gold] } as const;
  const row = rowOf({ ...one, consumed: [], emitted: [gold] }, 'transaction 0');
  await importRows(gateway.storage, 'fuji.x-chain.transactions', [row]);
  expect([await listed(gold), await listed(silver)]).toEqual([[idOf('transaction 0')], []]);
  const [output] = row.emittedUtxos;
  await importRows(gateway.storage, 'fuji.x-chain.utxos', [{ ...output, assetId: silver }]);
  expect([await listed(gold), await listed(silver)]).toEqual([[], [idOf('transaction 0')]]);
});
