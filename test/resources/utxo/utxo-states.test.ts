import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { addressOf, outputId, utxoRow } from '../../harness/ledger-rows.js';
import { expectList } from '../../harness/list-model.js';
import { importRows } from '../../harness/seed.js';
import {
  assets,
  forgetOutputs,
  outputsInStates,
  importOutputs,
  isShared,
  moment,
  onChain,
  owners,
  p,
  stateOf,
  x,
  type OutputInState,
} from '../../harness/state-model.js';
import { countStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(() => clear());

const clear = () => forgetOutputs(gateway.storage);

const states = ['SPENDABLE', 'LOCKED_PLATFORM', 'LOCKED_STAKEABLE', 'STAKED', 'IN_FLIGHT'];

/** Times at the ends of locks, and any others. */
const anyMoment = fc.oneof(
  moment,
  fc.integer({ min: 1_699_999_990, max: 1_700_000_510 }),
  fc.integer({ min: 0, max: 5_000_000_000 }),
);

const query = fc.record({
  isNested: fc.boolean(),
  addresses: fc.uniqueArray(fc.constantFrom(...owners), { minLength: 1, maxLength: 3 }),
  chain: fc.constantFrom('p' as const, 'x' as const),
  state: fc.constantFrom('SPENDABLE', ...states),
  at: fc.option(anyMoment, { nil: null }),
  // Page tokens contain a time of 32 bits.
  now: anyMoment.map((each) => Math.min(each, 4_000_000_000)),
  multiSignature: fc.constantFrom(null, null, true, false),
  sortBy: fc.constantFrom('timestamp', 'amount'),
  sortOrder: fc.constantFrom('asc', 'desc'),
  includeSpent: fc.boolean(),
  minUtxoAmount: fc.constantFrom('0', '0.5', '7', '1e+21'),
  assetId: fc.option(fc.constantFrom(...assets), { nil: null }),
  pageSize: fc.integer({ min: 1, max: 6 }),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
});
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

const ownersOf = ({ isNested, addresses }: Query) => (isNested ? addresses.slice(0, 1) : addresses);

function expectedOf(rows: readonly OutputInState[], each: Query): string[] {
  const { chain, state, at, now, multiSignature, sortBy, sortOrder, minUtxoAmount, assetId } = each;
  const sign = sortOrder === 'asc' ? 1 : -1;
  const key = (row: OutputInState) => (sortBy === 'amount' ? Number(row.amount) : row.blockTimestamp);
  const id = (row: OutputInState) => outputId(row.name);
  return rows
    .filter((row) => ownersOf(each).some((owner) => row.addresses.includes(owner)))
    .filter(onChain({ p, x }[chain]))
    .filter((row) => stateOf(row, at ?? now) === state)
    .filter((row) => multiSignature === null || isShared(row) === multiSignature)
    .filter((row) => Number(row.amount) >= Number(minUtxoAmount))
    .filter((row) => chain === 'p' || assetId === null || row.assetId === assetId)
    .sort((a, b) => sign * (key(a) - key(b) || (id(a) < id(b) ? -1 : 1)))
    .map(id);
}

/** Lists of an address are fields of its node, or of the query. */
function checkOf(each: Query) {
  const { isNested, chain, state, at, multiSignature, sortBy, sortOrder, includeSpent } = each;
  const own = isNested ? '' : `network: fuji, addresses: ${JSON.stringify(ownersOf(each))}, `;
  const wrapped = {
    wrap: (list: string) => `address(network: fuji, address: "P-${ownersOf(each)[0]}") { ${list} }`,
    find: (data: Record<string, never>) => (data['address'] as unknown as { list: unknown }).list,
  };
  return {
    field:
      `utxos(${own}blockchainId: "${chain}-chain", state: ${state}, at: ${at}, multiSignature: ${multiSignature}, ` +
      `sortBy: ${sortBy}, sortOrder: ${sortOrder}, includeSpent: ${includeSpent}, ` +
      `minUtxoAmount: "${each.minUtxoAmount}", assetId: ${JSON.stringify(each.assetId)}`,
    key: 'utxoId',
    pageSize: each.pageSize,
    direction: each.direction,
    ...(isNested && { within: wrapped }),
  };
}

test('outputs in a state agree with a naive filter, for any filters, moment, sort, page size and direction', async () => {
  await fc.assert(
    fc.asyncProperty(
      outputsInStates,
      fc.array(query, { minLength: 6, maxLength: 10 }),
      async (rows, queries) => {
        await clear();
        await importOutputs(gateway.storage, rows);
        for (const each of queries) {
          gateway.clock.now = each.now * 1000;
          await expectList(gateway, { ...checkOf(each), expected: expectedOf(rows, each) });
        }
      },
    ),
    { numRuns: 12 },
  );
});

test('a walk during which outputs arrive gives each that was there at the start once', async () => {
  await fc.assert(
    fc.asyncProperty(outputsInStates, query, async (rows, each) => {
      await clear();
      const [before, after] = [rows.slice(0, 30), rows.slice(30)];
      await importOutputs(gateway.storage, before);
      gateway.clock.now = each.now * 1000;
      await expectList(gateway, {
        ...checkOf(each),
        expected: expectedOf(before, each),
        between: () => importOutputs(gateway.storage, after.splice(0, 7)),
      });
    }),
    { numRuns: 10 },
  );
});

test('a walk without a moment goes on after locks have passed', async () => {
  const rows = [1, 2, 3].map((day) =>
    utxoRow(
      `day ${day}`,
      { addresses: [owners[0]], blockTimestamp: day, platformLocktime: 100 - day },
      'fuji',
    ),
  );
  await importRows(gateway.storage, 'fuji.p-chain.utxos', rows);
  type Page = {
    list: { nodes: { utxoId: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } };
  };
  const page = async (now: number, after: string | null) => {
    gateway.clock.now = now * 1000;
    const { data, errors } = await gateway.graphql<Page>(
      `{ list: utxos(network: fuji, blockchainId: "p-chain", addresses: ["${owners[0]}"], state: SPENDABLE, first: 1,
         after: ${JSON.stringify(after)}) { nodes { utxoId } pageInfo { endCursor hasNextPage } } }`,
    );
    expect(errors).toBeUndefined();
    return data.list;
  };
  const first = await page(98, null);
  expect([first.nodes, first.pageInfo.hasNextPage]).toEqual([[{ utxoId: utxoRow('day 3').utxoId }], true]);
  const second = await page(200, first.pageInfo.endCursor);
  expect(second.nodes).toEqual([{ utxoId: utxoRow('day 2').utxoId }]);
});

test('the lists of all owners of a page are read in one statement, whatever its size', async () => {
  const rows = Array.from({ length: 30 }, (_, index) =>
    utxoRow(`output ${index}`, { addresses: [addressOf(`owner ${index}`, 'fuji')] }, 'fuji'),
  );
  await importRows(gateway.storage, 'fuji.p-chain.utxos', rows);
  for (const first of [2, 30]) {
    const { result, statements } = await countStatements(() =>
      gateway.graphql(
        `{ utxos(network: fuji, blockchainId: "p-chain", first: ${first}) { nodes { owners {
           utxos(blockchainId: "p-chain", state: SPENDABLE, first: 1) { totalCount nodes { utxoId } } } } } }`,
      ),
    );
    expect(result.errors).toBeUndefined();
    expect(statements).toHaveLength(3);
  }
});

test('a state without addresses, and what means nothing without a state, are refused', async () => {
  const refused = async (given: string) => {
    const { errors } = await gateway.graphql(
      `{ utxos(network: fuji, blockchainId: "p-chain", ${given}) { nodes { utxoId } } }`,
    );
    return [errors?.[0]?.extensions['code'], errors?.[0]?.message];
  };
  for (const given of ['state: STAKED', 'addresses: null, state: STAKED'])
    expect(await refused(given)).toEqual(['BAD_USER_INPUT', 'state: requires addresses']);
  const addresses = `addresses: ["${owners[0]}"]`;
  expect(await refused(`${addresses}, at: 5`)).toEqual(['BAD_USER_INPUT', 'at: requires state']);
  expect(await refused(`${addresses}, multiSignature: false`)).toEqual([
    'BAD_USER_INPUT',
    'multiSignature: requires state',
  ]);
  expect((await refused(`${addresses}, state: STAKED, at: -1`))[1]).toMatch(/^at: "-1" is not a time/);
});
