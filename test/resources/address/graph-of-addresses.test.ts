import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nativeAssetIds } from '../../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { assetsAsTheyCame } from '../../harness/asset-model.js';
import { addressOf, idOf, utxoRow } from '../../harness/ledger-rows.js';
import { expectList, paging, within } from '../../harness/list-model.js';
import {
  importOutputs,
  isSpent,
  ofOwner,
  onChain,
  outputQuery,
  outputs,
  outputsOf,
  owners,
  p,
  x,
  type Output,
} from '../../harness/owned-output-model.js';
import { importRows } from '../../harness/seed.js';
import { expectStatements } from '../../harness/statements.js';
import { poolOf } from '../../harness/connections.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(() => clear());

async function clear(): Promise<void> {
  await poolOf(gateway.storage).query('TRUNCATE utxo, utxo_owner, address_balance CASCADE');
}
const load = (rows: readonly Output[]) => importOutputs(gateway.storage, rows);
const withinAddress = (owner: string) => within(`address(network: fuji, address: "P-${owner}")`);

describe("an address's outputs", () => {
  test('agree with a naive filter for any filters, sort, page size and direction', async () => {
    const query = fc.record({ ...paging(6), ...outputQuery });
    await fc.assert(
      fc.asyncProperty(outputs, fc.array(query, { minLength: 3, maxLength: 6 }), async (rows, queries) => {
        await clear();
        await load(rows);
        for (const each of queries) {
          const { chain, sortBy, sortOrder, includeSpent, minUtxoAmount, assetId } = each;
          await expectList(gateway, {
            field: `utxos(blockchainId: "${chain}-chain", sortBy: ${sortBy}, sortOrder: ${sortOrder}, includeSpent: ${includeSpent}, minUtxoAmount: "${minUtxoAmount}", assetId: ${JSON.stringify(assetId)}`,
            key: 'utxoId',
            expected: outputsOf(rows, each),
            ...each,
            within: withinAddress(each.owner),
          });
        }
      }),
      { numRuns: 10 },
    );
  });

  test('are read for all owners of a page in one statement, and counted in one', async () => {
    const rows = Array.from({ length: 30 }, (_, index) =>
      utxoRow(`output ${index}`, { addresses: [addressOf(`owner ${index}`, 'fuji')] }, 'fuji'),
    );
    await importRows(gateway.storage, 'fuji.p-chain.utxos', rows);
    const query = `{ utxos(network: fuji, blockchainId: "p-chain", first: 30) { nodes { owners {
      utxos(blockchainId: "p-chain", first: 1) { totalCount nodes { utxoId } }
      balances(first: 1) { totalCount nodes { unspent } } } } } }`;
    await expectStatements(gateway, query, 5);
  });

  test('have the cursors of the same list without the address node', async () => {
    const rows = ['a', 'b', 'c'].map((name) => utxoRow(name, { addresses: [owners[0]] }, 'fuji'));
    await importRows(gateway.storage, 'fuji.p-chain.utxos', rows);
    type Page = { list: { nodes: { utxoId: string }[]; pageInfo: { endCursor: string } } };
    const list = (paging: string) =>
      `list: utxos(network: fuji, blockchainId: "p-chain", addresses: ["${owners[0]}"], ${paging}) { nodes { utxoId } pageInfo { endCursor } }`;
    const first = await gateway.graphql<Page>(`{ ${list('first: 1')} }`);
    const after = `first: 1, after: "${first.data.list.pageInfo.endCursor}"`;
    const second = await gateway.graphql<Page>(`{ ${list(after)} }`);
    const nested = await gateway.graphql<{ address: Page }>(
      `{ address(network: fuji, address: "${owners[0]}") { list: utxos(blockchainId: "p-chain", ${after}) { nodes { utxoId } } } }`,
    );
    expect(nested.data.address.list.nodes).toEqual(second.data.list.nodes);
  });
});

describe("an address's balances", () => {
  test('are exact sums over its outputs, per asset, each output once', async () => {
    await fc.assert(
      fc.asyncProperty(
        outputs,
        fc.record({
          ...paging(6),
          owner: fc.constantFrom(...owners),
          chain: fc.constantFrom('p', 'x', null),
        }),
        async (rows, { owner, chain, ...rest }) => {
          await clear();
          await load(rows);
          const own = rows
            .filter(ofOwner(owner))
            .filter(chain === null ? () => true : onChain(chain === 'p' ? p : x));
          const sum = (list: Output[]) =>
            list.reduce((total, row) => total + BigInt(row.amount), 0n).toString();
          const isIndexed = new Set(own.map((row) => row.assetId));
          const held = (await assetsAsTheyCame(gateway.storage)).filter((assetId) => isIndexed.has(assetId));
          expect(held).toHaveLength(isIndexed.size);
          const expected = held.map((assetId) => {
            const all = own.filter((row) => row.assetId === assetId);
            return {
              asset: { assetId },
              unspent: sum(all.filter((row) => !isSpent(row))),
              received: sum(all),
            };
          });
          const blockchainId = chain === null ? '' : `blockchainId: "${chain}-chain"`;
          const { data, errors } = await gateway.graphql<{ address: { balances: { nodes: unknown } } }>(
            `{ address(network: fuji, address: "${owner}") { balances(${blockchainId} first: 100) { nodes { asset { assetId } unspent received } } } }`,
          );
          expect(errors).toBeUndefined();
          expect(data.address.balances.nodes).toEqual(expected);
          await expectBalancePages(owner, blockchainId, expected, rest);
        },
      ),
      { numRuns: 15 },
    );
  });

  async function expectBalancePages(
    owner: string,
    blockchainId: string,
    expected: { received: string; asset: { assetId: string } }[],
    rest: { pageSize: number; direction: 'forward' | 'backward' },
  ): Promise<void> {
    const parent = withinAddress(owner);
    // The asset of a balance is an object: an alias makes its id the leaf that identifies a row.
    const flatten = (found: unknown) => {
      const list = found as { edges: { cursor: string; node: { asset: { assetId: string } } }[] };
      return {
        ...list,
        edges: list.edges.map(({ cursor, node }) => ({
          cursor,
          node: { 'asset { assetId }': node.asset.assetId },
        })),
      };
    };
    await expectList(gateway, {
      field: `balances(${blockchainId}`,
      key: 'asset { assetId }',
      expected: expected.map(({ asset }) => asset.assetId),
      ...rest,
      within: { ...parent, find: (data) => flatten(parent.find(data)) },
    });
  }
});

describe('the nodes address and asset', () => {
  test('are found by their global ids', async () => {
    await importRows(gateway.storage, 'fuji.p-chain.utxos', [utxoRow('a', {}, 'fuji')]);
    type Data = { address: { id: string }; asset: { id: string } };
    const { data } = await gateway.graphql<Data>(
      `{ address(network: testnet, address: "X-${owners[0]}") { id address network } asset(network: fuji, assetId: "${nativeAssetIds.fuji}") { id } }`,
    );
    expect(data.address).toMatchObject({ address: owners[0], network: 'fuji' });
    const ids = [data.address.id, data.asset.id];
    const { data: again } = await gateway.graphql(`{ nodes(ids: ${JSON.stringify(ids)}) { id __typename } }`);
    expect(again).toEqual({
      nodes: [
        { id: ids[0], __typename: 'Address' },
        { id: ids[1], __typename: 'Asset' },
      ],
    });
  });

  test('an address that is not known is empty, a wrong one refused, an unknown asset null', async () => {
    const unknown = addressOf('nobody', 'fuji');
    const { data } = await gateway.graphql(
      `{ address(network: fuji, address: "${unknown}") { utxos(blockchainId: "p-chain") { totalCount nodes { utxoId } } balances { totalCount nodes { unspent } } } asset(network: fuji, assetId: "${idOf('none')}") { id } }`,
    );
    const empty = { totalCount: 0, nodes: [] };
    expect(data).toEqual({ address: { utxos: empty, balances: empty }, asset: null });
    for (const wrong of [addressOf('anna', 'mainnet'), 'fuji1nonsense', '']) {
      const { errors } = await gateway.graphql(`{ address(network: fuji, address: "${wrong}") { id } }`);
      expect(errors?.[0]?.message).toMatch(/^address: /);
      expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
    }
  });
});
