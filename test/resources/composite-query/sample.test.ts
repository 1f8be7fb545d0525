import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleFiles } from '../../../sample/index.js';
import { readRecipes } from '../../../src/recipes.js';
import { compositeBodyExample } from '../../../src/resources/composite-query/request-body.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { postComposite } from '../../harness/composite.js';
import { recipes } from '../../harness/recipes.js';

let app: TestApp;

beforeAll(async () => {
  app = await createApp({}, { sample: true });
});
afterAll(() => app.close());

test('the documented composite query finds addresses in the sample, the same over both doors', async () => {
  const { body } = await postComposite(app, compositeBodyExample);
  expect(body.totalCount).toBeGreaterThan(0);
  expect(body.subQueryCounts['balance']).toBeGreaterThan(body.totalCount);
  const examples = readRecipes().flatMap((group) => group.examples);
  const tab = examples.find(({ query }) => query.includes('compositeQuery('));
  const reply = await app.graphql<{ compositeQuery: { nodes: string[]; totalCount: number } }>(
    tab?.query ?? '',
  );
  expect(reply.data.compositeQuery.totalCount).toBe(body.totalCount);
  expect(reply.data.compositeQuery.nodes).toEqual(body.addresses.slice(0, 10));
});

test('balances from files do not say up to when they are known', async () => {
  const reply = await app.graphql<{ compositeQuery: { subQueryCounts: object[] } }>(
    `{ compositeQuery(operator: OR, queries: [{ latestBalance: { id: "all", evmChainId: "43113", tokenType: NATIVE, minBalance: 1 } }]) {
      subQueryCounts { dataAsOf } } }`,
  );
  expect(reply.data.compositeQuery.subQueryCounts).toEqual([{ dataAsOf: null }]);
});

test('the documented metric has points in the sample', async () => {
  const recipe = recipes.find(({ document }) => document.includes('subnetMetric('));
  const reply = await app.graphql<{ subnetMetric: { nodes: unknown[] } }>(
    recipe!.document,
    recipe!.variables,
  );
  expect(reply.data.subnetMetric.nodes.length).toBeGreaterThan(10);
});

test('the cumulative fees that the sample states are the ones that are computed', async () => {
  interface Row {
    subnetId: string;
    metric: string;
    timestamp: number;
    value: string;
  }
  const file = [...sampleFiles()].find(({ name }) => name === 'fuji.subnet-metrics');
  const stated = ([...(file?.rows ?? [])] as Row[]).filter(
    ({ metric }) => metric === 'perSubnetCumulativeFeesPaid',
  );
  expect(stated.length).toBeGreaterThan(100);
  for (const subnetId of new Set(stated.map((row) => row.subnetId))) {
    const reply = await app.graphql<{ subnetMetric: { nodes: object[] } }>(
      `{ subnetMetric(subnetId: "${subnetId}", metric: perSubnetCumulativeFeesPaid, last: 10000) { nodes { timestamp value } } }`,
    );
    const expected = stated
      .filter((row) => row.subnetId === subnetId)
      .map(({ timestamp, value }) => ({ timestamp, value }));
    expect(reply.data.subnetMetric.nodes).toEqual(expected.reverse());
  }
});
