import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importSeriesTo } from '../../harness/subnet-metrics.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { referenceFilters, referenceList } from '../../harness/reference-list.js';
import { poolOf } from '../../harness/connections.js';
import { idOf } from '../../harness/ledger-rows.js';
import { expectGrowingList, paging, within } from '../../harness/list-model.js';
import { importPlatform, named, namedSubnets, newestFirst } from '../../harness/platform-model.js';
import { otherNames, ownershipOf, plainTx, platformTx, platformTxs } from '../../harness/platform-model.js';
import { subnetIdOf, subnetIds, subnetsOf } from '../../harness/platform-model.js';
import type { PlatformTx } from '../../harness/platform-model.js';
import { countStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
});
afterAll(() => gateway.close());
beforeEach(() => clear());

const clear = () =>
  poolOf(gateway.storage).query(
    'TRUNCATE transaction, address_transaction, subnet, subnet_transaction, subnet_metric, chain CASCADE',
  );

const pages = fc.record(paging(7));
const filters = fc.record({ ...paging(7), ...referenceFilters });

const added = fc.array(platformTx, { minLength: 1, maxLength: 3 });
let labels = 0;

/** Imports transactions under separate names, and adds them to those that are there. */
async function add(more: readonly PlatformTx[], there: PlatformTx[] = []): Promise<void> {
  const fresh = named(more, `added ${(labels += 1)}`);
  there.push(...fresh);
  await importPlatform(gateway.storage, fresh);
}

const withinSubnet = (subnetId: string) =>
  within(`subnet(network: fuji, subnetId: "${subnetId}")`, 'subnetId');

describe("a subnet's lists", () => {
  test('of transactions agree with a naive look at all of them for any filters', async () => {
    const query = fc.record({ subnetId: fc.constantFrom(...subnetIds), filters });
    const queries = fc.array(query, { minLength: 2, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(platformTxs, queries, added, async (given, queries, more) => {
        await clear();
        const all = [...given];
        await importPlatform(gateway.storage, all, { metrics: subnetIds, chains: [] });
        for (const { subnetId, filters } of queries) {
          const named = newestFirst(all).filter((each) => subnetsOf(each).includes(subnetId));
          const list = { ...referenceList(filters, named), within: withinSubnet(subnetId) };
          await expectGrowingList(gateway, list, () => add(more, all));
        }
      }),
      { numRuns: 12 },
    );
  });

  test.each([
    ['chainCreations', 'CreateChainTx'],
    ['conversions', 'ConvertSubnetToL1Tx'],
  ])('of %s agree with it too, while others are added between the pages', async (field, type) => {
    const query = fc.record({
      subnetId: fc.constantFrom(...subnetIds),
      page: pages,
      added,
      rows: fc.array(
        platformTx.map((each) => ({ ...each, txType: each.txType === 'BaseTx' ? 'BaseTx' : type })),
        { maxLength: 25 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ subnetId, page, added, rows }) => {
        await clear();
        const all = named(rows);
        await importPlatform(gateway.storage, all, { metrics: subnetIds, chains: [] });
        const expected = newestFirst(all)
          .filter((each) => each.txType === type && subnetsOf(each).includes(subnetId))
          .map(({ name }) => idOf(name));
        const within = withinSubnet(subnetId);
        const list = { field: `${field}(`, key: 'txHash', expected, ...page, within };
        await expectGrowingList(gateway, list, () => add(added));
      }),
      { numRuns: 10 },
    );
  });

  test('of EVM chains and the owner agree with it too, while chains are added between the pages or not', async () => {
    let newest = 9;
    const addChains = (subnetId: string) => {
      const chains = [1, 2].map(() => ({ evmChainId: (newest += 1), subnetId, isTestnet: true }));
      return importPlatform(gateway.storage, [], { metrics: [], chains });
    };
    await fc.assert(
      fc.asyncProperty(platformTxs, otherNames, pages, async (all, others, page) => {
        await clear();
        await importPlatform(gateway.storage, all, others);
        for (const subnetId of namedSubnets(all, others)) {
          const expected = others.chains
            .filter((each) => each.isTestnet && each.subnetId === subnetId)
            .map(({ evmChainId }) => evmChainId)
            .sort((a, b) => a - b)
            .map(String);
          const within = withinSubnet(subnetId);
          const list = { field: 'evmChains(', key: 'chainId', expected, ...page, within };
          await expectGrowingList(gateway, list, () => addChains(subnetId));
          expect(await ownerIn(subnetId)).toEqual(ownershipOf(all, subnetId));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('of metrics are those of the field subnetMetric, cursors and all', async () => {
    await importPlatform(gateway.storage, [], { metrics: [subnetIdOf('of metrics alone')], chains: [] });
    const metric = 'metric: perSubnetCumulativeFeesPaid';
    const page = '{ totalCount nodes { timestamp value } pageInfo { hasNextPage } }';
    const id = subnetIdOf('of metrics alone');
    const { data, errors } = await gateway.graphql<Record<string, Record<string, unknown>>>(
      `{ subnet(network: fuji, subnetId: "${id}") { metric(${metric}, first: 10000) ${page}
          after: metric(${metric}, startTimestamp: "1728000000") ${page} }
        subnetMetric(network: fuji, subnetId: "${id}", ${metric}) ${page} }`,
    );
    expect(errors).toBeUndefined();
    expect(data['subnet']).toMatchObject({ metric: data['subnetMetric'], after: { totalCount: 0 } });
    expect(data['subnetMetric']).toMatchObject({ nodes: [{ timestamp: 1_728_000_000, value: '7' }] });
  });

  test('of two metrics at once are those of each', async () => {
    const points = [1n, 2n].map((value, day) => ({ day, value }));
    const id = subnetIdOf('of metrics alone');
    await importSeriesTo(gateway.storage, id, 'perSubnetDailyFeesPaid', points);
    const { data } = await gateway.graphql(
      `{ subnet(network: fuji, subnetId: "${id}") { sum: metric(metric: perSubnetCumulativeFeesPaid) { nodes { value } }
          daily: metric(metric: perSubnetDailyFeesPaid) { nodes { value } } } }`,
    );
    const values = (...all: string[]) => ({ nodes: all.map((value) => ({ value })) });
    expect(data).toEqual({ subnet: { sum: values('3', '1'), daily: values('2', '1') } });
  });
});

async function ownerIn(subnetId: string): Promise<unknown> {
  const owning = 'owner { addresses } owningTransaction { txHash }';
  const { data, errors } = await gateway.graphql(
    `{ subnet(network: fuji, subnetId: "${subnetId}") { ${owning} } }`,
  );
  expect(errors).toBeUndefined();
  return data['subnet'];
}

test('each level of nesting is one statement, whatever the size of the page', async () => {
  const all = Array.from({ length: 40 }, (_, index) => ({
    ...plainTx,
    name: `transaction ${index}`,
    txType: index % 2 ? 'CreateChainTx' : 'CreateSubnetTx',
    subnetId: subnetIdOf(String(index >> 2)),
  }));
  await importPlatform(gateway.storage, all, { metrics: subnetIds, chains: [] });
  for (const size of [2, 40]) {
    const lists = `transactions(first: ${size}) { totalCount nodes { subnet { subnetId } } }`;
    for (const [levels, inner] of [
      [4, lists],
      [2, `chainCreations(first: ${size}) { nodes { txHash } }`],
      [2, `conversions(first: ${size}) { nodes { txHash } }`],
      [2, `evmChains(first: ${size}) { nodes { chainId } }`],
      [2, `metric(metric: perSubnetDailyFeesPaid, first: ${size}) { nodes { value } }`],
      [2, 'owner { threshold } owningTransaction { txHash }'],
      [2, 'creatingTransaction { txHash }'],
    ] as const) {
      const query = `{ subnets(network: fuji, first: ${size}) { nodes { ${inner} } } }`;
      const { result, statements } = await countStatements(() => gateway.graphql(query));
      expect(result.errors).toBeUndefined();
      expect(statements).toHaveLength(levels);
    }
  }
});
