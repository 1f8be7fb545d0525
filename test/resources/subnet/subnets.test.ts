import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { expectGrowingList, expectList, paging, within } from '../../harness/list-model.js';
import {
  importPlatform,
  named,
  namedSubnets,
  otherNames,
  plainTx,
  platformTx,
  platformTxs,
  subnetIdOf,
  subnetIds,
} from '../../harness/platform-model.js';
import {
  CUMULATIVE,
  DAILY,
  DAY,
  FIRST,
  importSeriesTo,
  runningSums,
  series,
  VALIDATORS,
} from '../../harness/subnet-metrics.js';

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

describe('the subnets of a network', () => {
  test('are those that anything names, whichever page they are on', async () => {
    await fc.assert(
      fc.asyncProperty(platformTxs, otherNames, pages, async (all, others, page) => {
        await clear();
        await importPlatform(gateway.storage, all, others);
        const expected = namedSubnets(all, others);
        await expectList(gateway, { field: 'subnets(network: fuji', key: 'subnetId', expected, ...page });
        const onMainnet = others.chains.filter(({ isTestnet }) => !isTestnet).map(({ subnetId }) => subnetId);
        await expectList(gateway, {
          field: 'subnets(network: mainnet',
          key: 'subnetId',
          expected: [...new Set(onMainnet)].sort(),
          ...page,
        });
      }),
      { numRuns: 20 },
    );
  });

  test('are each seen once while others are added between the pages', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        platformTxs,
        pages,
        fc.array(platformTx, { maxLength: 3 }),
        async (all, page, added) => {
          await clear();
          await importPlatform(gateway.storage, all);
          await expectList(gateway, {
            field: 'subnets(network: fuji',
            key: 'subnetId',
            expected: namedSubnets(all, { metrics: [], chains: [] }),
            ...page,
            between: () => importPlatform(gateway.storage, named(added, `added ${(number += 1)}`)),
          });
        },
      ),
      { numRuns: 10 },
    );
  });

  test('are not there any more when what named them is corrected, alone or from a transaction', async () => {
    const made = { ...plainTx, name: 'a', subnetId: subnetIds[0] as string };
    await importPlatform(gateway.storage, [made]);
    await importPlatform(gateway.storage, [{ ...made, subnetId: subnetIds[1] as string }]);
    const subnet = (subnetId: unknown) =>
      `subnet(network: fuji, subnetId: "${String(subnetId)}") { subnetId }`;
    const { data } = await gateway.graphql(
      `{ subnets(network: fuji) { totalCount nodes { subnetId } } gone: ${subnet(subnetIds[0])} is: ${subnet(subnetIds[1])} }`,
    );
    expect(data).toEqual({
      subnets: { totalCount: 1, nodes: [{ subnetId: subnetIds[1] }] },
      gone: null,
      is: { subnetId: subnetIds[1] },
    });
  });

  test('are listed by nothing but an id', async () => {
    const long = 'z'.repeat(5000);
    await importPlatform(gateway.storage, [
      { ...plainTx, name: 'a', subnetId: 'not an id' },
      { ...plainTx, name: 'b', subnetId: long },
    ]);
    const { data } = await gateway.graphql(
      `{ subnets(network: fuji) { nodes { subnetId } }
        transactions(network: fuji, blockchainId: "p-chain") { nodes { subnetId subnet { subnetId } } } }`,
    );
    expect(data).toMatchObject({ subnets: { nodes: [] } });
    expect(data['transactions']).toEqual({
      nodes: expect.arrayContaining([
        { subnetId: 'not an id', subnet: null },
        { subnetId: long, subnet: null },
      ]) as unknown,
    });
  });
});

describe('the points of a metric of a subnet', () => {
  test('agree with a naive sum for any metric, bounds, page size and direction, while points are added between the pages or not', async () => {
    const query = fc.record({
      ...paging(5),
      metric: fc.constantFrom(DAILY, CUMULATIVE, VALIDATORS),
      startDay: fc.option(fc.integer({ min: -1, max: 21 }), { nil: null }),
      endDay: fc.option(fc.integer({ min: -1, max: 21 }), { nil: null }),
    });
    // A subnet of which nothing is stored is null.
    const heldSeries = series.filter(({ length }) => length > 0);
    const at = (day: number | null) => (day === null ? null : `"${FIRST + day * DAY}"`);
    await fc.assert(
      fc.asyncProperty(
        heldSeries,
        series,
        query,
        async (fees, counts, { metric, startDay, endDay, ...page }) => {
          await clear();
          const subnetId = subnetIdOf('of metrics alone');
          await importSeriesTo(gateway.storage, subnetId, DAILY, fees);
          await importSeriesTo(gateway.storage, subnetId, VALIDATORS, counts);
          await importSeriesTo(gateway.storage, subnetIdOf('another'), DAILY, counts);
          const expected = (metric === CUMULATIVE ? runningSums(fees) : metric === DAILY ? fees : counts)
            .filter(({ day }) => (startDay === null || day > startDay) && (endDay === null || day < endDay))
            .map(({ day, value }) => `${FIRST + day * DAY} ${value}`);
          const list = {
            field: `metric(metric: ${metric}, startTimestamp: ${at(startDay)}, endTimestamp: ${at(endDay)}`,
            key: 'timestamp value',
            keyOf: ({ timestamp, value }: Record<string, string>) => `${timestamp} ${value}`,
            expected,
            ...page,
            within: within(`subnet(network: fuji, subnetId: "${subnetId}")`, 'subnetId'),
          };
          // Newer ones: those of older days would change the sums that are expected.
          let newest = 21;
          const grown = metric === VALIDATORS ? VALIDATORS : DAILY;
          const add = () =>
            importSeriesTo(gateway.storage, subnetId, grown, [{ day: (newest += 1), value: 1n }]);
          await expectGrowingList(gateway, list, add);
        },
      ),
      { numRuns: 15 },
    );
  });
});
