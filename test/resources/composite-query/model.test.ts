import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import {
  addressOf,
  dateOf,
  FIRST_DAY,
  postComposite,
  walkComposite,
  type SubQueryBody,
} from '../../harness/composite.js';
import { importRows } from '../../harness/import-rows.js';

const DAYS = 8;
const CONTRACTS = [addressOf(0xa0), addressOf(0xb0)];

type Kind = 'native' | 'erc20' | 'nft';
interface Row {
  kind: Kind;
  contract: string;
  address: string;
  day: number;
  amount: number;
}

let app: TestApp;
// A chain for each history, so that histories do not meet in one database.
let chain = 1000;

beforeAll(async () => {
  app = await createApp();
});
afterAll(() => app.close());

const row: fc.Arbitrary<Row> = fc
  .record({
    kind: fc.constantFrom<Kind>('native', 'erc20', 'nft'),
    contract: fc.constantFrom(...CONTRACTS),
    address: fc.integer({ min: 1, max: 14 }).map(addressOf),
    day: fc.nat(DAYS - 1),
    amount: fc.nat(4),
  })
  .map((each) => (each.kind === 'native' ? { ...each, contract: '' } : each));

/** Rows in batches, in the order in which they are imported. */
const history = fc.array(fc.array(row, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 4 });

const days = fc
  .tuple(fc.nat(DAYS), fc.nat(DAYS))
  .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));

interface Question {
  type: string;
  kind: Kind;
  contract: string;
  first: number;
  last: number;
  least: number;
  byTimestamps: boolean;
}

const question: fc.Arbitrary<Question> = fc
  .record({
    type: fc.constantFrom(
      'AllTimeNativeBalance',
      'AnyTimeNativeBalance',
      'AllTimeErc20Balance',
      'AnyTimeErc20Balance',
      'AllTimeNftHolders',
      'AnyTimeNftHolders',
      'LatestBalance',
    ),
    days,
    contract: fc.constantFrom(...CONTRACTS),
    least: fc.nat(5),
    ofToken: fc.boolean(),
    byTimestamps: fc.boolean(),
  })
  .map(({ type, days: { first, last }, contract, least, ofToken, byTimestamps }) => {
    const kind: Kind =
      type.includes('Erc20') || (type === 'LatestBalance' && ofToken)
        ? 'erc20'
        : type.includes('Nft')
          ? 'nft'
          : 'native';
    return {
      ...{ type, kind, first, last, byTimestamps },
      contract: kind === 'native' ? '' : contract,
      least: kind === 'nft' ? 1 : least,
    };
  });

const questions = fc.array(question, { minLength: 1, maxLength: 10 });

/** The rules of the contract, address by address and day by day. */
function matches(rows: readonly Row[], asked: Question): Set<string> {
  const own = rows.filter(({ kind, contract }) => kind === asked.kind && contract === asked.contract);
  const found = new Set<string>();
  for (const address of new Set(own.map((each) => each.address))) {
    const amounts = new Map(
      own.filter((each) => each.address === address).map((each) => [each.day, each.amount]),
    );
    const heldOn = (day: number) => {
      for (let earlier = day; earlier >= 0; earlier -= 1)
        if (amounts.has(earlier)) return amounts.get(earlier) ?? 0;
      return 0;
    };
    const range = Array.from({ length: asked.last - asked.first + 1 }, (_, index) =>
      heldOn(asked.first + index),
    );
    const passes = (amount: number) => amount >= asked.least;
    const held = asked.type.startsWith('All')
      ? range.every(passes)
      : asked.type.startsWith('Any')
        ? range.some(passes)
        : passes(heldOn(DAYS));
    if (held) found.add(address);
  }
  return found;
}

function toBody(asked: Question, id: string): SubQueryBody {
  const { type, kind, contract, least } = asked;
  const seconds = (day: number, ofDay: number) => (FIRST_DAY + day) * 86_400 + ofDay;
  const range =
    asked.byTimestamps && kind === 'nft'
      ? { startTs: seconds(asked.first, 5), endTs: seconds(asked.last, 86_000) }
      : { firstDate: dateOf(asked.first), lastDate: `${dateOf(asked.last)}T23:30:00Z` };
  return {
    id,
    type,
    params: {
      evmChainId: String(chain),
      ...(type === 'LatestBalance' ? { tokenType: kind === 'erc20' ? 'ERC20' : 'NATIVE' } : range),
      ...(kind !== 'native' && { contractAddress: contract }),
      ...(kind !== 'nft' && { minBalance: String(least) }),
    },
  };
}

async function importHistory(batches: readonly Row[][]): Promise<Row[]> {
  chain += 1;
  for (const batch of batches) {
    for (const kind of ['native', 'erc20', 'nft'] as const) {
      const rows = batch
        .filter((each) => each.kind === kind)
        .map(({ address, contract: contractAddress, day, amount }) => ({
          ...{ date: dateOf(day), address },
          ...(kind !== 'native' && { contractAddress }),
          ...(kind === 'nft' ? { tokenCount: amount } : { balance: String(amount) }),
        }));
      const name = { native: 'native-balances', erc20: 'erc20-balances', nft: 'nft-holdings' }[kind];
      await importRows(app.storage, `evm.${chain}.${name}`, rows);
    }
  }
  // Of two rows of one day the later one counts.
  const last = new Map(
    batches.flat().map((each) => [`${each.kind}${each.contract}${each.address}:${each.day}`, each]),
  );
  return [...last.values()];
}

const sorted = (addresses: Iterable<string>) => [...addresses].map((each) => each.toLowerCase()).sort();

test('AND and OR of one to ten sub-queries of every type agree with a naive model, page by page', async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.array(fc.tuple(questions, fc.constantFrom('AND', 'OR'), fc.integer({ min: 1, max: 16 })), {
        minLength: 1,
        maxLength: 6,
      }),
      async (batches, requests) => {
        const rows = await importHistory(batches);
        for (const [asked, operator, pageSize] of requests) {
          const expected = asked.map((each) => matches(rows, each));
          const all = new Set(expected.flatMap((each) => [...each]));
          const combined = sorted(all).filter(
            (each) => operator === 'OR' || expected.every((set) => set.has(each)),
          );
          const body = { operator, queries: asked.map((each, index) => toBody(each, `q${index}`)), pageSize };
          const pages = await walkComposite(app, body);
          expect(sorted(pages.flatMap((page) => page.addresses))).toEqual(combined);
          expect(pages).toHaveLength(Math.max(1, Math.ceil(combined.length / pageSize)));
          const counts = Object.fromEntries(expected.map((set, index) => [`q${index}`, set.size]));
          for (const page of pages) {
            expect(page.subQueryCounts).toEqual(counts);
            expect(page.totalCount).toBe(combined.length);
          }
          const whole = await postComposite(app, { ...body, pageSize: 10_000 });
          expect(whole.body.addresses).toEqual(pages.flatMap((page) => page.addresses));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('walking a GraphQL connection backwards gives the same addresses in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 6 }), async (batches, last) => {
      await importHistory(batches);
      const query = `query ($last: Int, $first: Int, $before: String) {
        compositeQuery(operator: OR, last: $last, first: $first, before: $before, queries: [
          { latestBalance: { id: "1", evmChainId: "${chain}", tokenType: NATIVE, minBalance: "0" } }
          { anyTimeNftHolders: { id: "2", evmChainId: "${chain}", contractAddress: "${CONTRACTS[0]}", firstDate: "${dateOf(0)}", lastDate: "${dateOf(DAYS)}" } }
        ]) { nodes totalCount edges { node cursor } pageInfo { hasPreviousPage startCursor } } }`;
      interface Page {
        compositeQuery: {
          nodes: string[];
          totalCount: number;
          pageInfo: { hasPreviousPage: boolean; startCursor: string | null };
        };
      }
      const whole = (await app.graphql<Page>(query, { first: 100 })).data.compositeQuery;
      const found: string[] = [];
      for (let before: string | null = null; ;) {
        const page: Page = (await app.graphql<Page>(query, { last, before })).data;
        const { nodes, pageInfo } = page.compositeQuery;
        found.unshift(...nodes);
        if (!pageInfo.hasPreviousPage) break;
        before = pageInfo.startCursor;
      }
      expect(found).toEqual(whole.nodes);
      expect(whole.totalCount).toBe(found.length);
    }),
    { numRuns: 10 },
  );
});
