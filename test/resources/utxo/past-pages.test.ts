import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOOKED_AT } from '../../../src/resources/utxo/list.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { addressOf, idOf, utxoRow } from '../../harness/ledger-rows.js';
import { pastOwners } from '../../harness/past-model.js';
import { walkPast } from '../../harness/past-walk.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

describe('a page that passes over many rows', () => {
  const [anna] = pastOwners as [string];
  const outputs = Array.from({ length: 3 * LOOKED_AT }, (_, index) => ({
    ...utxoRow(`many ${index}`, { addresses: [anna], blockTimestamp: 1_700_000_000 + index }, 'fuji'),
    // The oldest five were unspent for long, the others for a second.
    consumingTxHash: idOf('spender'),
    staked: false,
    consumingBlockTimestamp: index < 5 ? 1_800_000_000 : 1_700_000_001 + index,
  }));
  const query = { asOf: 'asOf: { time: 1750000000 }', blockchainId: 'blockchainId: "p-chain"' };
  const list = (rest: string) => `list: utxos(network: fuji, ${query.blockchainId}, ${query.asOf}, ${rest}`;
  beforeAll(() => importRows(gateway.storage, 'fuji.p-chain.utxos', outputs));

  test.each(['forward', 'backward'] as const)(
    'may be empty, and its cursor leads on: %s',
    async (direction) => {
      const { seen, sizes } = await walkPast(gateway, { direction, pageSize: 2 }, list);
      expect(seen).toHaveLength(5);
      expect(sizes).toContain(0);
      expect(sizes.length).toBeLessThanOrEqual(3 + 4);
    },
  );

  test('of lists in the rows of a list checks so many rows together', async () => {
    const ben = addressOf('ben', 'fuji');
    const shared = utxoRow('of both', { addresses: [anna, ben], blockTimestamp: 1 }, 'fuji');
    await importRows(gateway.storage, 'fuji.p-chain.utxos', [shared]);
    const past = `utxos(blockchainId: "p-chain", asOf: { time: 1750000000 }, first: 2) { nodes { utxoId } pageInfo { hasNextPage } }`;
    const { result, statements } = await countStatements(() =>
      gateway.graphql<any>(
        `{ utxos(network: fuji, blockchainId: "p-chain", sortOrder: asc, first: 1) { nodes { owners { address ${past} } } } }`,
      ),
    );
    expect(result.errors).toBeUndefined();
    expect(statements).toHaveLength(2);
    const byOwner = Object.fromEntries(
      result.data.utxos.nodes[0].owners.map((each: any) => [each.address, each.utxos]),
    );
    expect(byOwner[anna]).toEqual({ nodes: [], pageInfo: { hasNextPage: true } });
    expect(byOwner[ben]).toEqual({ nodes: [{ utxoId: shared.utxoId }], pageInfo: { hasNextPage: false } });
  });

  test('that ends with an output of the list shows it once, read backward within an address', async () => {
    const cora = addressOf('cora', 'fuji');
    // From the oldest on, the last one that the first page looks at, and one more.
    const unspent = [LOOKED_AT - 1, 2 * LOOKED_AT + 500];
    const rows = Array.from({ length: 3 * LOOKED_AT }, (_, index) => ({
      ...utxoRow(`of cora ${index}`, { addresses: [cora], blockTimestamp: 1_600_000_000 + index }, 'fuji'),
      consumingTxHash: idOf('spender'),
      staked: false,
      consumingBlockTimestamp: unspent.includes(index) ? 1_800_000_000 : 1_600_000_001 + index,
    }));
    await importRows(gateway.storage, 'fuji.p-chain.utxos', rows);
    const seen: string[] = [];
    let [before, pages] = ['', 0];
    for (let hasMore = true; hasMore; pages += 1) {
      const { data } = await gateway.graphql<any>(
        `{ address(network: fuji, address: "${cora}") { ${list(`last: 2${before}`).replace(
          'network: fuji, ',
          '',
        )} ) { nodes { utxoId } pageInfo { hasPreviousPage startCursor } } } }`,
      );
      const { nodes, pageInfo } = data.address.list;
      seen.push(...nodes.map(({ utxoId }: { utxoId: string }) => utxoId).reverse());
      hasMore = pageInfo.hasPreviousPage;
      before = `, before: "${pageInfo.startCursor}"`;
    }
    expect(seen).toEqual(unspent.map((index) => rows[index]?.utxoId));
    expect(pages).toBe(4);
  });

  test('is one statement, whatever its size', async () => {
    for (const size of [1, 100]) {
      const { statements } = await countStatements(() =>
        gateway.graphql(`{ ${list(`first: ${size}) { nodes { utxoId } pageInfo { endCursor } }`)} }`),
      );
      expect(statements).toHaveLength(1);
    }
  });

  test('has cursors that no other moment takes', async () => {
    const { data } = await gateway.graphql<{ list: { pageInfo: { endCursor: string } } }>(
      `{ ${list('first: 1) { pageInfo { endCursor } }')} }`,
    );
    const cursor = data.list.pageInfo.endCursor;
    for (const other of ['asOf: { time: 1750000001 }, ', 'asOf: { block: 1750000000 }, ', '']) {
      const { errors } = await gateway.graphql(
        `{ utxos(network: fuji, blockchainId: "p-chain", ${other}after: "${cursor}") { nodes { utxoId } } }`,
      );
      expect(errors?.[0]?.message).toContain('was not issued here for this list with these filters');
    }
    const same = await gateway.graphql(`{ ${list(`after: "${cursor}") { nodes { utxoId } }`)} }`);
    expect(same.errors).toBeUndefined();
  });

  test('has no total count, which does not affect the other counts', async () => {
    const { data, errors } = await gateway.graphql<any>(
      `{ ${list('first: 1) { totalCount }')} other: utxos(network: fuji, blockchainId: "p-chain") { totalCount } }`,
    );
    expect(data).toMatchObject({ list: null, other: { totalCount: 1 } });
    expect(errors).toHaveLength(1);
    expect(errors?.[0]).toMatchObject({
      message: expect.stringMatching(/^totalCount: .*leave totalCount and totalCountIsExact out$/) as unknown,
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  test.each([
    ['{ time: 1, block: 1 }', /AsOf/],
    ['{ }', /AsOf/],
    ['{ time: null }', /AsOf/],
    ['{ time: -1 }', /^asOf\.time: "-1" is not a whole number of 0 or more$/],
    ['{ block: "half" }', /half/],
    ['{ block: 1.5 }', /^asOf\.block: "1.5" is not a whole number/],
  ])('is refused for the moment %s', async (moment, message) => {
    const { errors } = await gateway.graphql(
      `{ utxos(network: fuji, blockchainId: "p-chain", asOf: ${moment}) { nodes { utxoId } } }`,
    );
    expect(errors?.[0]?.message).toMatch(message);
  });

  test('is refused together with spent outputs', async () => {
    const { errors } = await gateway.graphql(
      `{ utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, asOf: { time: 1 }) { nodes { utxoId } } }`,
    );
    expect(errors?.[0]?.message).toBe('asOf: cannot be given together with includeSpent');
  });
});
