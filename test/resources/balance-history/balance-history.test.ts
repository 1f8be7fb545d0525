import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import {
  DAY,
  FIRST,
  avax,
  dateOf,
  historyOf,
  importOutputs,
  later,
  outputs,
  owners,
  queries,
  type Output,
  type Query,
} from '../../harness/balance-history-model.js';
import { poolOf } from '../../harness/connections.js';
import { addressOf } from '../../harness/ledger-rows.js';
import { expectList, within } from '../../harness/list-model.js';
import { countStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
const clear = () =>
  poolOf(gateway.storage).query(
    'TRUNCATE utxo, utxo_owner, address_balance, address_day, transaction, address, asset CASCADE',
  );

type Day = Record<'timestamp' | 'received' | 'sent' | 'balance', string>;
const listOf = ({ assetId, first, last }: Pick<Query, 'assetId' | 'first' | 'last'>) =>
  `balanceHistory(assetId: ${JSON.stringify(assetId)}, firstDate: "${dateOf(first)}", lastDate: "${dateOf(last)}"`;
const checkOf = (query: Query) => ({
  field: listOf(query),
  key: 'timestamp received sent balance',
  keyOf: ({ timestamp, received, sent, balance }: Day) => `${timestamp} ${received} ${sent} ${balance}`,
  pageSize: query.pageSize,
  direction: query.direction,
  within: within(`address(network: fuji, address: "${query.address}")`),
});

const load = (label: string, all: readonly Output[]) => importOutputs(gateway.storage, label, all);

describe('the balance history of an address', () => {
  test('agrees with a naive model for any assets, days, page sizes and directions', async () => {
    await fc.assert(
      fc.asyncProperty(outputs, fc.array(queries, { minLength: 4, maxLength: 8 }), async (all, lists) => {
        await clear();
        await load('output', all);
        for (const each of lists)
          await expectList(gateway, { ...checkOf(each), expected: historyOf(all, each) });
      }),
      { numRuns: 8 },
    );
  });

  test('goes on from day to day while outputs of other addresses and of later days are added', async () => {
    await fc.assert(
      fc.asyncProperty(outputs, outputs, queries, async (all, added, each) => {
        await clear();
        await load('output', all);
        const waiting = added.map((output) =>
          output.made === null ? { ...output, addresses: [owners[2] as string] } : later(output),
        );
        const asked = { ...each, address: owners[0] as string };
        let files = 0;
        const between = () => load(`later ${(files += 1)}`, waiting.splice(0, 3));
        await expectList(gateway, { ...checkOf(asked), expected: historyOf(all, asked), between });
      }),
      { numRuns: 6 },
    );
  });

  test('ends each day with what utxos lists as of its last second', async () => {
    await clear();
    const all = fc.sample(outputs, { numRuns: 20, seed: 5 }).flat().slice(0, 90);
    await load('output', all);
    const [anna] = owners as [string];
    const own = all.filter((each) => each.addresses.includes(anna) && each.assetId === avax);
    expect(own.length).toBeGreaterThan(5);
    for (const day of [0, 11, 25, 41]) {
      const end = FIRST + (day + 1) * DAY - 1;
      const { data } = await gateway.graphql<any>(
        `{ address(network: fuji, address: "${anna}") {
          utxos(blockchainId: "p-chain", asOf: { time: ${end} }, first: 100) { nodes { amount assetId } }
          ${listOf({ assetId: avax, first: day, last: day })}) { nodes { balance } } } }`,
      );
      const sum = data.address.utxos.nodes
        .filter(({ assetId }: { assetId: string }) => assetId === avax)
        .reduce((total: bigint, { amount }: { amount: string }) => total + BigInt(amount), 0n);
      expect(data.address.balanceHistory.nodes[0]?.balance ?? '0').toBe(String(sum));
    }
  });

  test('is that of 366 days at most, the latest ones where none are given', async () => {
    await clear();
    const [anna] = owners as [string];
    await load('old', [{ addresses: [anna], assetId: avax, amount: '5', made: 1, spent: null }]);
    const ask = async (range: string) => {
      const { data, errors } = await gateway.graphql<{ address: { balanceHistory: { nodes: Day[] } } }>(
        `{ address(network: fuji, address: "${anna}") { balanceHistory${range} { nodes { timestamp } } } }`,
      );
      return (
        errors?.[0]?.message ?? data.address.balanceHistory.nodes.map(({ timestamp }) => Number(timestamp))
      );
    };
    const before = Math.floor(Date.now() / 1000 / DAY) * DAY;
    const latest = (await ask('')) as number[];
    expect(latest).toHaveLength(366);
    expect(latest.at(-1)).toBeGreaterThanOrEqual(before);
    expect(latest.at(-1)).toBeLessThan(before + 2 * DAY);
    const year = (await ask('(firstDate: "2020-01-01")')) as number[];
    expect([year.length, year[0]]).toEqual([366, Date.UTC(2020, 0, 1) / 1000]);
    const upTo = (await ask('(lastDate: "2020-12-31")')) as number[];
    expect(upTo).toEqual(year);
    expect(await ask('(firstDate: "1969-12-30", lastDate: "1970-01-02")')).toEqual([0, DAY]);
    expect(await ask('(firstDate: "9999-01-01")')).toEqual([]);
    expect(await ask('(firstDate: "2028-01-01", lastDate: "2029-01-01")')).toBe(
      'lastDate: is 367 days from firstDate on; at most 366 are allowed',
    );
    expect(await ask('(firstDate: "2028-01-02", lastDate: "2028-01-01")')).toBe(
      'firstDate: is after lastDate',
    );
    expect(await ask('(assetId: "notAnId")')).toMatch(/^assetId: /);
  });

  test('is one statement for all addresses of a page, whatever its size', async () => {
    await clear();
    const all = Array.from({ length: 40 }, (_, index) => ({
      addresses: [addressOf(`owner ${index}`, 'fuji')],
      assetId: avax,
      amount: '5',
      made: FIRST,
      spent: null,
    }));
    await load('output', all);
    for (const size of [5, 40]) {
      const { result, statements } = await countStatements(() =>
        gateway.graphql<any>(
          `{ utxos(network: fuji, blockchainId: "p-chain", first: ${size}) { nodes { owners {
            ${listOf({ assetId: null, first: 0, last: 1 })}) { nodes { balance } } } } } }`,
        ),
      );
      expect(result.errors).toBeUndefined();
      expect(statements).toHaveLength(2);
      for (const { owners } of result.data.utxos.nodes)
        expect(owners).toEqual([{ balanceHistory: { nodes: [{ balance: '5' }, { balance: '5' }] } }]);
    }
  });
});
