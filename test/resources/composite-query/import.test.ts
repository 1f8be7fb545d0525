import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assembleApp } from '../../../src/app.js';
import { createApp, doorOf, type TestApp } from '../../harness/app.js';
import { addressOf, dateOf, evaluations, nativeQuery, postComposite } from '../../harness/composite.js';
import { walkComposite } from '../../harness/composite.js';
import type { CompositePage, NativeQuestion } from '../../harness/composite.js';
import { importRowsOrReject } from '../../harness/seed.js';
import { importRows } from '../../harness/import-rows.js';
import { countStatements } from '../../harness/statements.js';
import { poolOf, storageOn } from '../../harness/connections.js';

let app: TestApp;
let chain = 100;

beforeAll(async () => {
  app = await createApp();
});
afterAll(() => app.close());
beforeEach(() => {
  chain += 1;
});

const balances = (rows: [address: number, day: number, balance: number][]) =>
  importRows(
    app.storage,
    `evm.${chain}.native-balances`,
    rows.map(([address, day, balance]) => ({
      date: dateOf(day),
      address: addressOf(address),
      balance: String(balance),
    })),
  );

const query = (...asked: NativeQuestion) => nativeQuery(chain, ...asked);

const one = (...asked: NativeQuestion) => ({ operator: 'AND', queries: [query(...asked)] });

const numbersOf = (pages: readonly CompositePage[]) => pages.flatMap((page) => page.addresses.map(Number));

const found = async (...asked: NativeQuestion) => numbersOf([(await postComposite(app, one(...asked))).body]);

/** Like another process on the same database: nothing that the first one caches. */
async function anotherProcess() {
  const other = await assembleApp({ ...app.services, storage: storageOn(poolOf(app.storage)) });
  return { app: other, ...doorOf(other) };
}

test('a balance is kept over days without a row, and 0 before the first one', async () => {
  await balances([
    [1, 2, 10],
    [1, 5, 3],
  ]);
  expect(await found('AllTimeNativeBalance', 2, 4, 10)).toEqual([1]);
  expect(await found('AllTimeNativeBalance', 3, 4, 10)).toEqual([1]);
  expect(await found('AllTimeNativeBalance', 4, 5, 10)).toEqual([]);
  expect(await found('AllTimeNativeBalance', 1, 4, 1)).toEqual([]);
  expect(await found('AnyTimeNativeBalance', 0, 2, 10)).toEqual([1]);
  expect(await found('AnyTimeNativeBalance', 0, 1, 1)).toEqual([]);
  expect(await found('AnyTimeNativeBalance', 100, 200, 3)).toEqual([1]);
  expect(await found('LatestBalance', 0, 0, 4)).toEqual([]);
  expect(await found('AllTimeNativeBalance', 0, 1, 0)).toEqual([1]);
});

test('rows that come later for earlier days, and corrections, count as if they had come in order', async () => {
  await balances([[1, 9, 1]]);
  await balances([[1, 3, 5]]);
  await balances([[1, 6, 0]]);
  expect(await found('AllTimeNativeBalance', 3, 5, 5)).toEqual([1]);
  expect(await found('AllTimeNativeBalance', 3, 6, 1)).toEqual([]);
  await balances([[1, 6, 7]]);
  expect(await found('AllTimeNativeBalance', 3, 9, 1)).toEqual([1]);
  expect(await found('AnyTimeNativeBalance', 7, 8, 7)).toEqual([1]);
});

test('importing the same rows again writes nothing and forgets nothing', async () => {
  const rows: [number, number, number][] = [
    [1, 0, 5],
    [2, 0, 6],
    [1, 3, 7],
  ];
  expect(await balances(rows)).toEqual({ written: 3, unchanged: 0 });
  await found('AllTimeNativeBalance', 0, 5, 5);
  expect(await balances(rows)).toEqual({ written: 0, unchanged: 3 });
  const { statements } = await countStatements(() => found('AllTimeNativeBalance', 0, 5, 5));
  expect(evaluations(statements)).toBe(0);
});

test('balances of days before 1970 are rejected, which no cursor could name', async () => {
  const lines = ['1969-12-31', '1970-01-01'].map((date) => ({ date, address: addressOf(9), balance: '1' }));
  const rejected = await importRowsOrReject(app.storage, `evm.${chain}.native-balances`, lines);
  expect(rejected.map(({ message }) => message)).toEqual([
    'date: "1969-12-31" is not a date from 1970-01-01 on, YYYY-MM-DD',
  ]);
});

test('addresses leave checksummed and are one whatever their case', async () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  for (const [day, text] of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`].entries())
    await importRows(app.storage, `evm.${chain}.native-balances`, [
      { date: dateOf(day), address: text, balance: '1' },
    ]);
  const { body } = await postComposite(app, one('LatestBalance', 0, 0));
  expect(body).toEqual({ addresses: [address], subQueryCounts: { a: 1 }, totalCount: 1 });
});

test('a walk that began before an import finishes with the set that it began with', async () => {
  await balances([1, 2, 3, 4].map((address) => [address, 0, 5]));
  const body = { ...one('LatestBalance', 0, 0, 5), pageSize: 1 };
  const first = await postComposite(app, body);
  await balances([
    [2, 1, 0],
    [5, 1, 9],
  ]);
  const seen = [first.body];
  for (let page = seen[0]; page?.nextPageToken !== undefined; page = seen.at(-1))
    seen.push((await postComposite(app, { ...body, pageToken: page.nextPageToken })).body);
  expect(numbersOf(seen)).toEqual([1, 2, 3, 4]);
  expect(new Set(seen.map((page) => page.totalCount))).toEqual(new Set([4]));
  expect(numbersOf(await walkComposite(app, body))).toEqual([1, 3, 4, 5]);
});

test('a walk whose set nobody remembers is refused after an import, and goes on without one', async () => {
  await balances([1, 2, 3].map((address) => [address, 0, 5]));
  const body = { ...one('LatestBalance', 0, 0, 5), pageSize: 1 };
  const { nextPageToken: pageToken } = (await postComposite(app, body)).body;
  const other = await anotherProcess();
  const goesOn = await postComposite(other, { ...body, pageToken });
  expect(goesOn.body).toMatchObject({ addresses: [addressOf(2)], totalCount: 3 });

  await balances([[2, 1, 0]]);
  const late = await anotherProcess();
  const { result: refused, statements } = await countStatements(() =>
    postComposite(late, { ...body, pageToken }),
  );
  expect(refused.status).toBe(400);
  expect(refused.body.message?.[0]).toMatch(
    /^pageToken: .* or an import has changed their data since; start again from the first page$/,
  );
  expect(evaluations(statements)).toBe(0);
  await Promise.all([other.app.close(), late.app.close()]);
});

test('an import of later days leaves the sets of closed days remembered', async () => {
  await balances([
    [1, 0, 5],
    [2, 0, 5],
  ]);
  const closed = one('AllTimeNativeBalance', 0, 3, 5);
  const open = one('AllTimeNativeBalance', 0, 4, 5);
  await postComposite(app, closed);
  await postComposite(app, open);
  await balances([[1, 4, 0]]);
  const { result, statements } = await countStatements(() => postComposite(app, closed));
  expect(evaluations(statements)).toBe(0);
  expect(result.body).toMatchObject({ totalCount: 2 });
  expect((await postComposite(app, open)).body).toMatchObject({ totalCount: 1 });
  await balances([[1, 2, 0]]);
  expect((await postComposite(app, closed)).body).toMatchObject({ totalCount: 1 });
});

test('a later page evaluates nothing and reads the versions of nothing', async () => {
  await balances([1, 2, 3].map((address) => [address, 0, 5]));
  const body = { ...one('AnyTimeNativeBalance', 0, 3, 5), pageSize: 1 };
  const { nextPageToken: pageToken } = (await postComposite(app, body)).body;
  const { statements } = await countStatements(() => postComposite(app, { ...body, pageToken }));
  expect(statements).toHaveLength(1);
  expect(statements[0]).toContain('FROM evm_address');
});

test('identical queries at the same time evaluate each sub-query once', async () => {
  await balances([1, 2, 3].map((address) => [address, 0, address]));
  const body = {
    operator: 'OR',
    queries: [query('LatestBalance', 0, 0, 1, 'x'), query('AllTimeNativeBalance', 0, 2, 2, 'y')],
  };
  const { result, statements } = await countStatements(() =>
    Promise.all(Array.from({ length: 12 }, () => postComposite(app, body))),
  );
  expect(evaluations(statements)).toBe(2);
  expect(new Set(result.map(({ text }) => text)).size).toBe(1);
  expect(result[0]?.body).toMatchObject({ subQueryCounts: { x: 3, y: 2 }, totalCount: 3 });
});

test('while balances are imported without pause, every walk is of one state', async () => {
  const size = 30;
  const all = Array.from({ length: size }, (_, index) => index + 1);
  await balances(all.map((address) => [address, 0, 2]));
  // Every import moves one whole half of the addresses; a mixture would be of neither size.
  let importing = true;
  const imports = (async () => {
    for (let round = 0; importing; round += 1)
      await balances(all.map((address) => [address, 0, address % 2 === round % 2 ? 2 : 0]));
  })();
  const body = { ...one('LatestBalance', 0, 0, 1), pageSize: 4 };
  const outcomes = new Set<string>();
  for (let walk = 0; walk < 25; walk += 1) {
    const numbers = numbersOf(await walkComposite(app, body));
    outcomes.add(numbers.length === size ? 'all' : String(new Set(numbers.map((each) => each % 2)).size));
    expect(numbers.length === size || numbers.length === size / 2).toBe(true);
  }
  importing = false;
  await imports;
  for (const outcome of outcomes) expect(['all', '1']).toContain(outcome);
});
