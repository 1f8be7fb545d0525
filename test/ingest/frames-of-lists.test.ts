import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { addresses, chainRow, frameRow } from '../harness/evm-rows.js';
import { importRows } from '../harness/import-rows.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';

const CHAIN = '7';
const NAME = `evm.${CHAIN}.internal-transactions`;

let database: ImportDatabase;
let old: TestApp;
let fresh: TestApp;
beforeAll(async () => {
  database = await createImportDatabase();
  [old, fresh] = await Promise.all([createApp(), createApp()]);
  for (const { storage } of [old, fresh]) await importRows(storage, 'evm.chains', [chainRow(CHAIN)]);
});
afterAll(async () => {
  await old.close();
  await fresh.close();
  await database.close();
});

const clear = ({ storage }: TestApp) => poolOf(storage).query('TRUNCATE internal_tx');

/** The frames of one transaction, few sides and values: some are alike. */
const frames = fc.array(
  fc.record({
    from: fc.constantFrom(...addresses).map((address) => ({ address })),
    to: fc.constantFrom(...addresses).map((address) => ({ address })),
    value: fc.constantFrom('1', '2', '3'),
  }),
  { minLength: 1, maxLength: 12 },
);

/** What REST prints of an address, row by row. */
async function listOf(gateway: TestApp, address: string): Promise<object[]> {
  const path = `/v1/chains/${CHAIN}/addresses/${address}/transactions:listInternals?pageSize=100`;
  return (await gateway.get(path)).body.transactions as object[];
}

async function listsOf(gateway: TestApp): Promise<object[][]> {
  const lists = [];
  for (const address of addresses) lists.push(await listOf(gateway, address));
  return lists;
}

/** Values and sides of the transaction's frames, as the graph has them. */
async function graphOf(gateway: TestApp): Promise<unknown> {
  const document = `{ internalTransactions(chainId: "${CHAIN}") { nodes { value from { address } to { address } } } }`;
  return (await gateway.graphql<any>(document)).data.internalTransactions.nodes as unknown;
}

let files = 0;
function take(rows: readonly object[], limit = 1000) {
  const path = database.write(`${NAME}.${++files}.ndjson`, rows);
  return runImport(fresh.storage, [path], { limits: { rows: limit, bytes: 1e6 } });
}

async function fill(rows: readonly object[]): Promise<object[][]> {
  await clear(old);
  await clear(fresh);
  await importRows(
    old.storage,
    NAME,
    rows.map((row, position) => frameRow({ ...row, position })),
  );
  return listsOf(old);
}

const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
const sentByOne = frames.map((rows) => rows.map((row) => ({ ...row, from: { address: addresses[0] } })));

describe("a transaction's frames, which REST prints without their positions", () => {
  test('are in every list what they were, whichever was saved first, where one list has all of them', async () => {
    await fc.assert(
      fc.asyncProperty(sentByOne, orders, async (rows, order) => {
        const lists = await fill(rows);
        const saved = order.map((address) => lists[address] ?? []);
        for (const list of saved) expect(await take(list)).toMatchObject({ rejected: 0 });
        expect(await listsOf(fresh)).toEqual(lists);
        expect(await graphOf(fresh)).toEqual(await graphOf(old));
        for (const list of saved)
          expect(await take(list)).toMatchObject({ written: 0, unchanged: list.length });
      }),
      { numRuns: 15 },
    );
  });

  test('are in the list that was imported last what they were there, where no list has all of them', async () => {
    await fc.assert(
      fc.asyncProperty(frames, orders, async (rows, order) => {
        const lists = await fill(rows);
        for (const address of order) await take(lists[address] ?? []);
        const last = order.at(-1) ?? 0;
        expect(await listOf(fresh, addresses[last] ?? '')).toEqual(lists[last]);
        // Whatever their order, none is missing or twice.
        expect((await listsOf(fresh)).map(({ length }) => length)).toEqual(lists.map(({ length }) => length));
      }),
      { numRuns: 15 },
    );
  });

  test('are what they were, from a list that was cut in two files and is read in small batches', async () => {
    await fc.assert(
      fc.asyncProperty(sentByOne, fc.nat({ max: 12 }), async (rows, cut) => {
        // A frame of two equal ones in two files would count as the same.
        const all = rows.map((row, index) => ({ ...row, gasUsed: `${index}` }));
        const [list = []] = await fill(all);
        const parts = [list.slice(0, cut), list.slice(cut)];
        for (const part of parts) await take(part, 3);
        expect(await graphOf(fresh)).toEqual(await graphOf(old));
        for (const part of parts) expect(await take(part, 3)).toMatchObject({ written: 0 });
      }),
      { numRuns: 15 },
    );
  });
});
