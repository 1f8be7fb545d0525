import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import {
  assets,
  holdersOf,
  ids,
  importOutputs,
  listOf,
  ofAsset,
  outputArguments,
  outputs,
  outputsOf,
  owners,
  type ListOf,
  type OfAsset,
  type Output,
} from '../../harness/asset-model.js';
import { poolOf } from '../../harness/connections.js';
import { addressOf, idOf, utxoRow } from '../../harness/ledger-rows.js';
import { expectList, paging } from '../../harness/list-model.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(() => clear());

const clear = () =>
  poolOf(gateway.storage).query('TRUNCATE utxo, utxo_owner, address_balance, asset CASCADE');

const load = (rows: readonly Output[]) => importOutputs(gateway.storage, rows);
const holders = (rows: readonly Output[], each: OfAsset) => holdersOf(gateway.storage, rows, each);

const withinAsset = (assetId: string) => ({
  wrap: (list: string) => `asset(network: fuji, assetId: "${assetId}") { ${list} }`,
  find: (data: Record<string, never>) =>
    (data['asset'] as unknown as { list: unknown } | null)?.list ?? {
      totalCount: 0,
      totalCountIsExact: true,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    },
});
describe('the holders of an asset', () => {
  const checkOf = (each: OfAsset) => ({
    field: `holders(blockchainId: "${each.chain}-chain"`,
    key: 'unspent address { address }',
    keyOf: ({ address, unspent }: { address: { address: string }; unspent: string }) =>
      `${address.address} ${unspent}`,
    ...each,
    within: withinAsset(each.assetId),
  });

  test('agree with a naive sum for any asset, chain, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(outputs, fc.array(ofAsset, { minLength: 4, maxLength: 8 }), async (rows, lists) => {
        await clear();
        await load(rows);
        for (const each of lists)
          await expectList(gateway, { ...checkOf(each), expected: await holders(rows, each) });
      }),
      { numRuns: 12 },
    );
  });

  test('are each shown once while outputs of others are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(outputs, outputs, ofAsset, async (rows, added, each) => {
        await clear();
        await load(rows);
        const waiting = added.map((row, index) => ({
          ...row,
          name: `added ${index}`,
          addresses: [addressOf(`new ${index % 9}`, 'fuji')],
        }));
        const between = () => load(waiting.splice(0, 5));
        await expectList(gateway, { ...checkOf(each), expected: await holders(rows, each), between });
      }),
      { numRuns: 10 },
    );
  });

  test('are refused behind one who holds nothing any more', async () => {
    const [assetId] = assets;
    const rows = owners.map((owner, index) =>
      utxoRow(`output ${index}`, { assetId, addresses: [owner], amount: String(9 - index) }, 'fuji'),
    );
    await importRows(gateway.storage, 'fuji.p-chain.utxos', rows);
    type Page = { asset: { holders: { nodes: object[]; pageInfo: { endCursor: string } } } };
    const read = (after: string) =>
      gateway.graphql<Page>(
        `{ asset(network: fuji, assetId: "${assetId}") { holders(blockchainId: "p-chain", first: 2, after: "${after}") {
          nodes { unspent } pageInfo { endCursor } } } }`,
      );
    const { data } = await read('');
    expect(data.asset.holders.nodes).toEqual([{ unspent: '9' }, { unspent: '8' }]);
    await importRows(gateway.storage, 'fuji.p-chain.utxos', [
      { ...rows[1], consumingTxHash: idOf('spender') },
    ]);
    const { errors } = await read(data.asset.holders.pageInfo.endCursor);
    expect(errors?.[0]?.message).toMatch(/^after: .* names a row that an import has removed or moved/);
  });
});

describe('the outputs of an asset', () => {
  const checkOf = (each: ListOf) => ({
    field: `utxos(${outputArguments(each)}`,
    key: 'utxoId',
    ...each,
    within: withinAsset(each.assetId),
  });

  test('agree with a naive filter for any asset, owners, least amount, sort, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(outputs, fc.array(listOf, { minLength: 4, maxLength: 8 }), async (rows, lists) => {
        await clear();
        await load(rows);
        for (const each of lists)
          await expectList(gateway, { ...checkOf(each), expected: outputsOf(rows, each) });
      }),
      { numRuns: 12 },
    );
  });

  test('are each shown once while others are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(outputs, outputs, listOf, async (rows, added, each) => {
        await clear();
        await load(rows);
        const waiting = added.map((row) => ({ ...row, name: `added ${row.name}` }));
        const between = () => load(waiting.splice(0, 5));
        await expectList(gateway, { ...checkOf(each), expected: outputsOf(rows, each), between });
      }),
      { numRuns: 10 },
    );
  });
});

describe('the assets of a network', () => {
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 30 });
  const load = (numbers: readonly number[]) =>
    importRows(
      gateway.storage,
      'fuji.assets',
      numbers.map((number) => ({ assetId: idOf(`asset ${number}`), name: `Asset ${number}`, symbol: 'A' })),
    );
  const model = (numbers: readonly number[]) => numbers.map((number) => idOf(`asset ${number}`)).sort();
  const list = fc.record(paging(6));

  test('are all of them by id, for any page size and direction, while others are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(names, names, list, async (numbers, added, each) => {
        await clear();
        await load(numbers);
        await importRows(gateway.storage, 'mainnet.assets', [
          { assetId: idOf('other'), name: 'O', symbol: 'O' },
        ]);
        const check = { field: 'assets(network: fuji', key: 'assetId', expected: model(numbers), ...each };
        await expectList(gateway, check);
        const waiting = added.map((number) => number + 1000);
        await expectList(gateway, { ...check, between: () => load(waiting.splice(0, 3)) });
      }),
      { numRuns: 15 },
    );
  });

  test('lead to their holders and outputs, each in one statement for all, and have networks', async () => {
    await load([1, 2, 3]);
    const rows = [1, 2, 3].map((number) =>
      utxoRow(
        `output ${number}`,
        { assetId: idOf(`asset ${number}`), createdOnChainId: ids.x, consumedOnChainId: ids.x },
        'fuji',
      ),
    );
    await importRows(gateway.storage, 'fuji.x-chain.utxos', rows);
    for (const size of [1, 3]) {
      const { result, statements } = await countStatements(() =>
        gateway.graphql<{ assets: { nodes: object[] } }>(
          `{ assets(network: fuji, first: ${size}) { totalCount nodes { network holders { nodes { unspent address { network address } } }
            utxos { nodes { amount } } } } }`,
        ),
      );
      expect(result.errors).toBeUndefined();
      // The assets and their count, the holders, the outputs.
      expect(statements).toHaveLength(4);
      expect(result.data.assets.nodes[0]).toEqual({
        network: 'fuji',
        holders: { nodes: [{ unspent: '1000', address: { network: 'fuji', address: owners[0] } }] },
        utxos: { nodes: [{ amount: '1000' }] },
      });
    }
  });
});
