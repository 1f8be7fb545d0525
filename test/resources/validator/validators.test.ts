import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { referenceFilters, referenceList } from '../../harness/reference-list.js';
import { poolOf } from '../../harness/connections.js';
import { idOf } from '../../harness/ledger-rows.js';
import { expectGrowingList, paging, within } from '../../harness/list-model.js';
import {
  importPlatform,
  named,
  nodeIdOf,
  nodeIds,
  nodesOf,
  platformTx,
  plainTx,
  platformTxs,
  stakersOf,
  subnetIds,
  types,
  type PlatformTx,
} from '../../harness/platform-model.js';
import { expectStatements } from '../../harness/statements.js';
import { everyNode, lists, ofTypes, referencing, platformTxsOf } from '../../harness/validator-model.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
});
afterAll(() => gateway.close());
beforeEach(() => clear());

const clear = () =>
  poolOf(gateway.storage).query(
    'TRUNCATE transaction, utxo, utxo_owner, address_balance, address_transaction, subnet, subnet_transaction, validator, validator_transaction, subnet_validator CASCADE',
  );

const withinValidator = (nodeId: string) => within(`validator(network: fuji, nodeId: "${nodeId}")`, 'nodeId');

const added = fc.array(platformTx, { minLength: 1, maxLength: 3 });
let labels = 0;
const newLabel = () => `added ${(labels += 1)}`;

const importOfOtherNodes = (added: readonly PlatformTx[]) =>
  importPlatform(
    gateway.storage,
    named(added, newLabel()).map((each) => ({ ...each, nodeId: nodeIdOf(each.name) })),
  );

describe('the validators of a network', () => {
  test('are those that any transaction names, while others are added between the pages or not', async () => {
    await fc.assert(
      fc.asyncProperty(platformTxs, fc.record(paging(7)), added, async (all, page, more) => {
        await clear();
        await importPlatform(gateway.storage, all);
        const expected = [...new Set(all.flatMap((each) => nodesOf(each, all)))].sort();
        const list = { field: 'validators(network: fuji', key: 'nodeId', expected, ...page };
        await expectGrowingList(gateway, list, () => importOfOtherNodes(more));
      }),
      { numRuns: 15 },
    );
  });

  test('are refused by what is no node id', async () => {
    for (const nodeId of ['', 'NodeID-', nodeIdOf('one').slice(7), `${nodeIdOf('one')}1`, idOf('one')]) {
      const { errors } = await gateway.graphql(
        `{ validator(network: fuji, nodeId: "${nodeId}") { nodeId } }`,
      );
      expect(errors?.[0]?.message).toMatch(/^nodeId: .* is not a node id/);
    }
  });
});

test('the validators of a subnet agree with a naive look at all transactions, while others are added between the pages or not', async () => {
  const rows = platformTxsOf(...ofTypes.stakingPeriods, ...ofTypes.delegations);
  const query = fc.record({ ...paging(7), subnetId: fc.constantFrom(...subnetIds) });
  await fc.assert(
    fc.asyncProperty(rows, query, added, async (given, { subnetId, ...page }, more) => {
      await clear();
      // So that each subnet exists.
      const all = [
        ...named(given),
        ...subnetIds.map((id) => ({ ...plainTx, name: `of ${id}`, subnetId: id })),
      ];
      await importPlatform(gateway.storage, all);
      const list = {
        field: 'validators(',
        key: 'nodeId',
        expected: stakersOf(all, subnetId),
        ...page,
        within: within(`subnet(network: fuji, subnetId: "${subnetId}")`, 'subnetId'),
      };
      await expectGrowingList(gateway, list, () => importOfOtherNodes(more));
    }),
    { numRuns: 25 },
  );
});

describe("a validator's lists", () => {
  test('of transactions agree with a naive look at all of them for any filters, while others are added between the pages or not', async () => {
    const query = fc.record({
      ...paging(7),
      nodeId: fc.constantFrom(...nodeIds),
      ...referenceFilters,
    });
    await fc.assert(
      fc.asyncProperty(
        platformTxs,
        fc.array(query, { minLength: 2, maxLength: 3 }),
        added,
        async (given, queries, more) => {
          await clear();
          const all = [...given, ...everyNode];
          await importPlatform(gateway.storage, all);
          for (const { nodeId, ...filters } of queries) {
            const list = {
              ...referenceList(filters, referencing(all, nodeId)),
              within: withinValidator(nodeId),
            };
            await expectGrowingList(gateway, list, async () => {
              const fresh = named(more, newLabel());
              all.push(...fresh);
              await importPlatform(gateway.storage, fresh);
            });
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  test.each(lists)(
    'of %s agree with it too, while others are added between the pages or not',
    async (field) => {
      const types = ofTypes[field];
      const rows = platformTxsOf(...types, 'AddDelegatorTx');
      const query = fc.record({ ...paging(7), nodeId: fc.constantFrom(...nodeIds) });
      await fc.assert(
        fc.asyncProperty(rows, query, added, async (given, { nodeId, ...page }, more) => {
          await clear();
          const all = [...named(given), ...everyNode];
          await importPlatform(gateway.storage, all);
          const expected = referencing(all, nodeId)
            .filter(({ txType }) => types.includes(txType))
            .map(({ name }) => idOf(name));
          const list = {
            field: `${field}(`,
            key: 'txHash',
            expected,
            ...page,
            within: withinValidator(nodeId),
          };
          await expectGrowingList(gateway, list, () =>
            importPlatform(gateway.storage, named(more, newLabel())),
          );
        }),
        { numRuns: 8 },
      );
    },
  );

  test('those of a subnet are one statement for each level of nesting, whatever the size of the page', async () => {
    const all = Array.from({ length: 40 }, (_, index) => ({
      ...plainTx,
      name: `transaction ${index}`,
      txType: 'AddSubnetValidatorTx',
      nodeId: nodeIdOf(String(index)),
      subnetId: subnetIds[index % 4] as string,
    }));
    await importPlatform(gateway.storage, all);
    for (const size of [2, 40]) {
      const query = `{ subnets(network: fuji, first: ${size}) { nodes { validators(first: ${size}) { nodes {
        nodeId validator { stakingPeriods(first: ${size}) { nodes { txHash } } } } } } } }`;
      await expectStatements(gateway, query, 4);
    }
  });

  test('each level of nesting is one statement, whatever the size of the page', async () => {
    const all = Array.from({ length: 40 }, (_, index) => ({
      ...plainTx,
      name: `transaction ${index}`,
      txType: types[index % types.length] as string,
      nodeId: nodeIdOf(String(index >> 2)),
    }));
    await importPlatform(gateway.storage, all);
    for (const size of [2, 40]) {
      const all = ['transactions', ...lists].map((field) => `${field}(first: ${size}) { nodes { txHash } }`);
      for (const [levels, inner] of [
        [2, all[0]],
        [5, all.join(' ')],
        [3, `transactions(first: ${size}) { nodes { validator { nodeId } } }`],
      ] as const) {
        const query = `{ validators(network: fuji, first: ${size}) { nodes { ${inner} } } }`;
        await expectStatements(gateway, query, levels);
      }
    }
  });
});
