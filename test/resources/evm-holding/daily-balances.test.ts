import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { addresses, chainRow, frameRow, hashAt } from '../../harness/evm-rows.js';
import { expectList } from '../../harness/list-model.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';

const CHAIN = '77';
const token = addresses[3];
const FIRST = Date.UTC(2026, 0, 1) / 1000;
const DAY = 86_400;
const dateOf = (day: number) => new Date((FIRST + day * DAY) * 1000).toISOString().slice(0, 10);

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(gateway.storage, 'evm.chains', [chainRow(CHAIN), chainRow('78')]);
});
afterAll(() => gateway.close());
const clear = () =>
  poolOf(gateway.storage).query(
    'TRUNCATE evm_balance, evm_holding_version, evm_holding, evm_address CASCADE',
  );
beforeEach(() => clear());

interface Balance {
  chain: string;
  address: string;
  isToken: boolean;
  /** From the first of January 2026. */
  day: number;
  balance: string;
}

const balances = fc.uniqueArray(
  fc.record({
    chain: fc.constantFrom(CHAIN, CHAIN, '78'),
    address: fc.constantFrom(...addresses.slice(0, 2)),
    isToken: fc.boolean(),
    day: fc.integer({ min: 0, max: 40 }),
    balance: fc.constantFrom('0', '1', '5', (2n ** 256n - 1n).toString()),
  }),
  { maxLength: 40, selector: ({ chain, address, isToken, day }) => `${chain} ${address} ${isToken} ${day}` },
);
const queries = fc
  .record({
    address: fc.constantFrom(...addresses.slice(0, 3)),
    isToken: fc.boolean(),
    days: fc.tuple(fc.integer({ min: -3, max: 60 }), fc.integer({ min: -3, max: 60 })),
    pageSize: fc.integer({ min: 3, max: 40 }),
    direction: fc.constantFrom('forward' as const, 'backward' as const),
  })
  .map(({ days, ...each }) => ({ ...each, first: Math.min(...days), last: Math.max(...days) }));
type Query = typeof queries extends fc.Arbitrary<infer T> ? T : never;

async function load(rows: readonly Balance[]): Promise<void> {
  for (const chain of [CHAIN, '78'])
    for (const isToken of [false, true]) {
      const own = rows.filter((row) => row.chain === chain && row.isToken === isToken);
      await importRows(
        gateway.storage,
        `evm.${chain}.${isToken ? 'erc20' : 'native'}-balances`,
        own.map(({ address, day, balance }) => ({
          address,
          date: dateOf(day),
          balance,
          ...(isToken && { contractAddress: token }),
        })),
      );
    }
}

/** Each day and its balance, by looking at every balance. */
function model(rows: readonly Balance[], { address, isToken, first, last }: Query): string[] {
  const own = rows.filter((row) => row.chain === CHAIN && row.address === address && row.isToken === isToken);
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return days.flatMap((day) => {
    const newest = own.filter((row) => row.day <= day).sort((a, b) => b.day - a.day)[0];
    return newest ? [`${FIRST + day * DAY} ${newest.balance}`] : [];
  });
}

const checkOf = ({ address, isToken, first, last, pageSize, direction }: Query) => ({
  field: `dailyBalances(contract: ${isToken ? `"${token.toLowerCase()}"` : null}, firstDate: "${dateOf(first)}", lastDate: "${dateOf(last)}"`,
  key: 'timestamp balance',
  keyOf: ({ timestamp, balance }: { timestamp: number; balance: string }) => `${timestamp} ${balance}`,
  pageSize,
  direction,
  within: {
    wrap: (list: string) => `evmAddress(chainId: "${CHAIN}", address: "${address}") { ${list} }`,
    find: (data: Record<string, never>) => (data['evmAddress'] as unknown as { list: unknown }).list,
  },
});

describe('the daily balances of an address', () => {
  test('agree with a naive model for coin and token, any days, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(balances, fc.array(queries, { minLength: 4, maxLength: 8 }), async (rows, lists) => {
        await clear();
        await load(rows);
        for (const each of lists)
          await expectList(gateway, { ...checkOf(each), expected: model(rows, each) });
      }),
      { numRuns: 10 },
    );
  });

  test('go on from day to day while balances of other addresses and of later days are added', async () => {
    await fc.assert(
      fc.asyncProperty(balances, balances, queries, async (rows, added, each) => {
        await clear();
        await load(rows);
        const waiting = added.map((row) => ({ ...row, day: row.day + 100 }));
        const between = () => load(waiting.splice(0, 3));
        await expectList(gateway, { ...checkOf(each), expected: model(rows, each), between });
      }),
      { numRuns: 8 },
    );
  });

  test('are those of 366 days at most, in order', async () => {
    const ask = (first: string, last: string) =>
      gateway.graphql<{ evmAddress: { dailyBalances: { nodes: object[] } } }>(
        `{ evmAddress(chainId: "${CHAIN}", address: "${addresses[0]}") {
          dailyBalances(firstDate: "${first}", lastDate: "${last}") { nodes { balance } } } }`,
      );
    await load([{ chain: CHAIN, address: addresses[0], isToken: false, day: 0, balance: '5' }]);
    const year = await ask('2028-01-01', '2028-12-31');
    expect(year.data.evmAddress.dailyBalances.nodes).toHaveLength(366);
    const longer = await ask('2028-01-01', '2029-01-01');
    expect(longer.errors?.[0]?.message).toBe(
      'lastDate: is 367 days from firstDate on; at most 366 are allowed',
    );
    expect((await ask('2028-01-02', '2028-01-01')).errors?.[0]?.message).toBe('firstDate: is after lastDate');
    expect((await ask('2028-02-30', '2028-03-01')).errors?.[0]?.message).toMatch(/^firstDate: /);
  });

  test('are one statement for all addresses of a page, whatever its size', async () => {
    const [from, to] = addresses;
    const frames = Array.from({ length: 40 }, (_, index) =>
      frameRow({ txHash: hashAt(index), from: { address: from }, to: { address: to } }),
    );
    await importRows(gateway.storage, `evm.${CHAIN}.internal-transactions`, frames);
    await load([{ chain: CHAIN, address: to, isToken: false, day: 0, balance: '5' }]);
    const list = `evmAddress { dailyBalances(firstDate: "${dateOf(0)}", lastDate: "${dateOf(1)}") { nodes { balance } } }`;
    for (const size of [5, 40]) {
      const { result, statements } = await countStatements(() =>
        gateway.graphql<{ internalTransactions: { nodes: object[] } }>(
          `{ internalTransactions(chainId: "${CHAIN}", first: ${size}) { nodes { from { ${list} } to { ${list} } } } }`,
        ),
      );
      expect(result.errors).toBeUndefined();
      // The chain, the internal transactions, the balances.
      expect(statements).toHaveLength(3);
      expect(result.data.internalTransactions.nodes[0]).toEqual({
        from: { evmAddress: { dailyBalances: { nodes: [] } } },
        to: { evmAddress: { dailyBalances: { nodes: [{ balance: '5' }, { balance: '5' }] } } },
      });
    }
  });
});
