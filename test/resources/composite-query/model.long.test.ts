import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { dateOf, postComposite, walkComposite } from '../../harness/composite.js';
import {
  CONTRACTS,
  DAYS,
  history,
  importHistory,
  matches,
  questions,
  toBody,
  type Row,
} from '../../harness/composite-model.js';

let app: TestApp;
// A chain for each history, so that histories do not meet in one database.
let chain = 1000;

beforeAll(async () => {
  app = await createApp();
});
afterAll(() => app.close());

/** Imports a history, as that of the next chain. */
function load(batches: readonly Row[][]): Promise<Row[]> {
  chain += 1;
  return importHistory(app.storage, chain, batches);
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
        const rows = await load(batches);
        for (const [asked, operator, pageSize] of requests) {
          const expected = asked.map((each) => matches(rows, each));
          const all = new Set(expected.flatMap((each) => [...each]));
          const combined = sorted(all).filter(
            (each) => operator === 'OR' || expected.every((set) => set.has(each)),
          );
          const body = {
            operator,
            queries: asked.map((each, index) => toBody(chain, each, `q${index}`)),
            pageSize,
          };
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
      await load(batches);
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
