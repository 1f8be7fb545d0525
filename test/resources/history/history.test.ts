import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import {
  historyArguments,
  historyOf,
  historyQuery,
  importTransfers,
  owners,
  transfer,
  transfers,
  type Transfer,
} from '../../harness/history-model.js';
import { addressOf, idOf } from '../../harness/ledger-rows.js';
import { expectGrowingList, expectList, within as withinParent } from '../../harness/list-model.js';
import { expectStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
});
afterAll(() => gateway.close());
beforeEach(() => clear());

async function clear(): Promise<void> {
  await poolOf(gateway.storage).query(
    'TRUNCATE utxo, utxo_owner, address_balance, address_transaction, transaction CASCADE',
  );
}

const added = fc.array(transfer(''), { minLength: 1, maxLength: 3 });
let number = 0;

/** Imports transfers under separate names. */
async function add(more: readonly Transfer[]): Promise<Transfer[]> {
  const fresh = more.map((each) => ({ ...each, name: `added ${(number += 1)}` }));
  await importTransfers(gateway.storage, fresh);
  return fresh;
}

const fortyTransfers = Array.from({ length: 40 }, (_, index) => ({
  name: `transfer ${index}`,
  chain: 'p' as const,
  txType: 'BaseTx',
  blockTimestamp: index,
  to: [owners[index % 4] as string],
  from: [owners[(index + 1) % 4] as string],
}));

const query = fc.record({ owner: fc.constantFrom(...owners), filters: historyQuery });
const within = (owner: string) => withinParent(`address(network: fuji, address: "P-${owner}")`);

describe("an address's transactions", () => {
  test('agree with a naive look at all of them for any filters, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(transfers, fc.array(query, { minLength: 3, maxLength: 6 }), async (all, queries) => {
        await clear();
        await importTransfers(gateway.storage, all);
        for (const { owner, filters } of queries)
          await expectList(gateway, {
            field: `transactions(${historyArguments(filters)}`,
            key: 'txHash',
            expected: historyOf(all, [owner], filters),
            ...filters,
            within: within(owner),
          });
      }),
      { numRuns: 15 },
    );
  });

  test('are each seen once while others are added between the pages', async () => {
    await fc.assert(
      fc.asyncProperty(transfers, query, added, async (all, { owner, filters }, more) => {
        await clear();
        await importTransfers(gateway.storage, all);
        await expectList(gateway, {
          field: `transactions(${historyArguments(filters)}`,
          key: 'txHash',
          expected: historyOf(all, [owner], filters),
          ...filters,
          within: within(owner),
          between: async () => void (await add(more)),
        });
      }),
      { numRuns: 15 },
    );
  });

  test('are read for all owners of a page in one statement and counted in one, whatever its size', async () => {
    await importTransfers(gateway.storage, fortyTransfers);
    for (const size of [2, 40]) {
      const query = `{ utxos(network: fuji, blockchainId: "p-chain", first: ${size}) { nodes { owners {
        transactions(first: ${size}) { totalCount nodes { txHash } } } } } }`;
      await expectStatements(gateway, query, 3);
    }
  });

  test('are refused for what is no chain, type or moment, and empty for an address that is not known', async () => {
    const field = (given: string) =>
      gateway.graphql(
        `{ address(network: fuji, address: "${owners[0]}") { transactions${given} { totalCount nodes { txHash } } } }`,
      );
    const { data } = await field('');
    expect(data).toEqual({ address: { transactions: { totalCount: 0, nodes: [] } } });
    for (const [given, name] of [
      ['(since: -1)', 'since'],
      ['(until: "-7")', 'until'],
      ['(blockchainId: "d-chain")', 'blockchainId'],
    ] as const) {
      const { errors } = await field(given);
      expect(errors?.[0]?.message).toMatch(new RegExp(`^${name}: `));
      expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
    }
  });

  test('are one list for several addresses, each once, whichever of them it is of, while others are added between the pages or not', async () => {
    const query = fc.record({ addresses: fc.subarray(owners, { minLength: 1 }), filters: historyQuery });
    const queries = fc.array(query, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(transfers, queries, added, async (given, queries, more) => {
        await clear();
        const all = [...given];
        await importTransfers(gateway.storage, all);
        for (const { addresses, filters } of queries) {
          const list = {
            field: `transactions(network: fuji, addresses: ${JSON.stringify(addresses)}, ${historyArguments(filters)}`,
            key: 'txHash',
            expected: historyOf(all, addresses, filters),
            ...filters,
          };
          await expectGrowingList(gateway, list, async () => all.push(...(await add(more))));
        }
      }),
      { numRuns: 10 },
    );
  });

  test('of several addresses are one statement and one for their count, whatever the size of the page', async () => {
    await importTransfers(gateway.storage, fortyTransfers);
    for (const size of [2, 40]) {
      const given = `network: fuji, addresses: ${JSON.stringify(owners)}, first: ${size}`;
      const query = `{ transactions(${given}) { totalCount nodes { txHash } } }`;
      const data = await expectStatements<Record<'transactions', { nodes: unknown[] }>>(gateway, query, 2);
      expect(data.transactions.nodes).toHaveLength(size);
    }
  });

  test('have the cursors of the same list without the address node', async () => {
    await importTransfers(
      gateway.storage,
      ['a', 'b', 'c'].map((name) => ({ ...base, name, to: [owners[0] as string], from: [] })),
    );
    const list = (paging: string) => `(since: 1, ${paging}) { nodes { txHash } pageInfo { endCursor } }`;
    type Page = { nodes: { txHash: string }[]; pageInfo: { endCursor: string } };
    const of = (field: string) =>
      `{ of: address(network: fuji, address: "${owners[0]}") { list: ${field} } }`;
    const first = await gateway.graphql<{ of: { list: Page } }>(of(`transactions${list('first: 1')}`));
    const after = `first: 1, after: "${first.data.of.list.pageInfo.endCursor}"`;
    const nested = await gateway.graphql<{ of: { list: Page } }>(of(`transactions${list(after)}`));
    const given = `network: fuji, addresses: ["X-${owners[0]}"]`;
    const alone = await gateway.graphql<{ list: Page }>(
      `{ list: transactions${list(after).replace('(', `(${given}, `)} }`,
    );
    expect(alone.data.list.nodes).toEqual(nested.data.of.list.nodes);
    expect(alone.data.list.nodes).toHaveLength(1);
  });

  test('are of all chains only where an address is given', async () => {
    for (const addresses of ['', ', addresses: null']) {
      const { data, errors } = await gateway.graphql(
        `{ transactions(network: fuji${addresses}) { totalCount } }`,
      );
      expect(data).toEqual({ transactions: null });
      expect(errors?.[0]?.message).toMatch(/^blockchainId: is missing/);
    }
    const many = Array.from({ length: 65 }, (_, index) => addressOf(`owner ${index}`, 'fuji'));
    const { errors } = await gateway.graphql(
      `{ transactions(network: fuji, addresses: ${JSON.stringify(many)}) { totalCount } }`,
    );
    expect(errors?.[0]?.message).toMatch(/^addresses: 65 addresses are too many/);
  });

  test('follow a row that gives a transaction other outputs', async () => {
    const all = [{ ...base, name: 'a', to: [owners[0] as string], from: [] }];
    await importTransfers(gateway.storage, all);
    expect(await hashesOf(owners[0] as string)).toEqual([idOf('a')]);
    await importTransfers(gateway.storage, [{ ...base, name: 'a', to: [owners[1] as string], from: [] }]);
    expect(await hashesOf(owners[0] as string)).toEqual([]);
    expect(await hashesOf(owners[1] as string)).toEqual([idOf('a')]);
  });
});

const base = { chain: 'x' as const, txType: 'BaseTx', blockTimestamp: 5 };

async function hashesOf(owner: string): Promise<string[]> {
  type Data = { address: { transactions: { nodes: { txHash: string }[] } } };
  const { data } = await gateway.graphql<Data>(
    `{ address(network: fuji, address: "${owner}") { transactions { nodes { txHash } } } }`,
  );
  return data.address.transactions.nodes.map(({ txHash }) => txHash);
}
