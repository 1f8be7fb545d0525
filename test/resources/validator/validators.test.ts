import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadSample } from '../../../src/load-sample.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { idOf } from '../../harness/ledger-rows.js';
import { expectList } from '../../harness/list-model.js';
import {
  importPlatform,
  moments,
  named,
  newestFirst,
  nodeIdOf,
  nodeIds,
  nodesOf,
  platformTx,
  platformTxs,
  stakersOf,
  subnetIds,
  types,
  type PlatformTx,
} from '../../harness/platform-model.js';
import { readSample } from '../../harness/sample.js';
import { countStatements } from '../../harness/statements.js';

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

const paging = {
  pageSize: fc.integer({ min: 1, max: 7 }),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
};

const ofTypes = {
  stakingPeriods: ['AddValidatorTx', 'AddSubnetValidatorTx', 'AddPermissionlessValidatorTx'],
  delegations: ['AddDelegatorTx', 'AddPermissionlessDelegatorTx'],
  rewards: ['RewardValidatorTx'],
};
const lists = Object.keys(ofTypes) as (keyof typeof ofTypes)[];

const within = (nodeId: string) => ({
  wrap: (list: string) => `validator(network: fuji, nodeId: "${nodeId}") { nodeId ${list} }`,
  find: (data: Record<string, never>) => (data['validator'] as unknown as { list: unknown }).list,
});

/** Those that name the node, newest first. */
const naming = (all: readonly PlatformTx[], nodeId: string) =>
  newestFirst(all).filter((each) => nodesOf(each, all).includes(nodeId));

describe('the validators of a network', () => {
  test('are those that any transaction names, while others are added between the pages or not', async () => {
    let number = 0;
    const added = fc.array(platformTx, { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(platformTxs, fc.record(paging), added, async (all, page, more) => {
        await clear();
        await importPlatform(gateway.storage, all);
        const expected = [...new Set(all.flatMap((each) => nodesOf(each, all)))].sort();
        const list = { field: 'validators(network: fuji', key: 'nodeId', expected, ...page };
        await expectList(gateway, list);
        const others = () =>
          named(more, `added ${(number += 1)}`).map((each) => ({ ...each, nodeId: nodeIdOf(each.name) }));
        await expectList(gateway, { ...list, between: () => importPlatform(gateway.storage, others()) });
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
  let number = 0;
  const rows = fc.array(
    fc
      .tuple(platformTx, fc.option(fc.constantFrom(...ofTypes.stakingPeriods, ...ofTypes.delegations)))
      .map(([each, txType]) => ({ ...each, txType: txType ?? each.txType })),
    { maxLength: 25 },
  );
  const query = fc.record({ ...paging, subnetId: fc.constantFrom(...subnetIds) });
  const added = fc.array(platformTx, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(rows, query, added, async (given, { subnetId, ...page }, more) => {
      await clear();
      // So that there is each subnet.
      const all = [...named(given), ...subnetIds.map((id) => ({ ...base, name: `of ${id}`, subnetId: id }))];
      await importPlatform(gateway.storage, all);
      const list = {
        field: 'validators(',
        ...{ key: 'nodeId', expected: stakersOf(all, subnetId), ...page },
        within: {
          wrap: (text: string) => `subnet(network: fuji, subnetId: "${subnetId}") { subnetId ${text} }`,
          find: (data: Record<string, never>) => (data['subnet'] as unknown as { list: unknown }).list,
        },
      };
      await expectList(gateway, list);
      const others = () =>
        named(more, `added ${(number += 1)}`).map((each) => ({ ...each, nodeId: nodeIdOf(each.name) }));
      await expectList(gateway, { ...list, between: () => importPlatform(gateway.storage, others()) });
    }),
    { numRuns: 25 },
  );
});

describe("a validator's lists", () => {
  test('of transactions agree with a naive look at all of them for any filters', async () => {
    const query = fc.record({
      ...paging,
      nodeId: fc.constantFrom(...nodeIds),
      txType: fc.option(fc.constantFrom(...types), { nil: null }),
      since: fc.option(fc.constantFrom(...moments), { nil: null }),
      until: fc.option(fc.constantFrom(...moments), { nil: null }),
    });
    await fc.assert(
      fc.asyncProperty(platformTxs, fc.array(query, { minLength: 2, maxLength: 4 }), async (all, queries) => {
        await clear();
        await importPlatform(gateway.storage, [...all, ...everyNode]);
        for (const { nodeId, txType, since, until, ...page } of queries) {
          const expected = naming([...all, ...everyNode], nodeId)
            .filter((each) => txType === null || each.txType === txType)
            .filter((each) => since === null || each.blockTimestamp >= since)
            .filter((each) => until === null || each.blockTimestamp < until)
            .map(({ name }) => idOf(name));
          await expectList(gateway, {
            field: `transactions(txType: ${txType}, since: ${since}, until: ${until}`,
            ...{ key: 'txHash', expected, ...page },
            within: within(nodeId),
          });
        }
      }),
      { numRuns: 12 },
    );
  });

  test.each(lists)(
    'of %s agree with it too, while others are added between the pages or not',
    async (field) => {
      let number = 0;
      const types = ofTypes[field];
      const rows = fc.array(
        fc
          .tuple(platformTx, fc.option(fc.constantFrom(...types, 'AddDelegatorTx')))
          .map(([each, txType]) => ({ ...each, txType: txType ?? each.txType })),
        { maxLength: 25 },
      );
      const query = fc.record({ ...paging, nodeId: fc.constantFrom(...nodeIds) });
      const added = fc.array(platformTx, { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(rows, query, added, async (given, { nodeId, ...page }, more) => {
          await clear();
          const all = [...named(given), ...everyNode];
          await importPlatform(gateway.storage, all);
          const expected = naming(all, nodeId)
            .filter(({ txType }) => types.includes(txType))
            .map(({ name }) => idOf(name));
          const list = { field: `${field}(`, key: 'txHash', expected, ...page, within: within(nodeId) };
          await expectList(gateway, list);
          const others = () => named(more, `added ${(number += 1)}`);
          await expectList(gateway, { ...list, between: () => importPlatform(gateway.storage, others()) });
        }),
        { numRuns: 8 },
      );
    },
  );

  test('those of a subnet are one statement for each level of nesting, whatever the size of the page', async () => {
    const all = Array.from({ length: 40 }, (_, index) => ({
      ...{ ...base, name: `transaction ${index}`, txType: 'AddSubnetValidatorTx' },
      ...{ nodeId: nodeIdOf(String(index)), subnetId: subnetIds[index % 4] as string },
    }));
    await importPlatform(gateway.storage, all);
    for (const size of [2, 40]) {
      const query = `{ subnets(network: fuji, first: ${size}) { nodes { validators(first: ${size}) { nodes {
        nodeId stakingPeriods(first: ${size}) { nodes { txHash } } } } } } }`;
      const { result, statements } = await countStatements(() => gateway.graphql(query));
      expect(result.errors).toBeUndefined();
      expect(statements).toHaveLength(3);
    }
  });

  test('each level of nesting is one statement, whatever the size of the page', async () => {
    const all = Array.from({ length: 40 }, (_, index) => ({
      ...{ ...base, name: `transaction ${index}`, txType: types[index % types.length] as string },
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
        const { result, statements } = await countStatements(() => gateway.graphql(query));
        expect(result.errors).toBeUndefined();
        expect(statements).toHaveLength(levels);
      }
    }
  });
});

const base: PlatformTx = {
  ...{ name: '', txType: 'BaseTx', blockTimestamp: 5, subnetId: null, nodeId: null },
  ...{ l1: [], staking: '' },
};
/** So that there is each. */
const everyNode = nodeIds.map((nodeId) => ({ ...base, name: `of ${nodeId}`, nodeId }));

test('the rewards of every validator of the sample are those of its stakes, to the unit', async () => {
  await loadSample(gateway.storage, gateway.services.log);
  const rows = readSample().transactionsOf('p');
  const earned = new Map<string, bigint>();
  for (const { nodeId, txHash } of rows.filter((row) => /^Add.*(Validator|Delegator)Tx$/.test(row.txType)))
    for (const reward of rows.filter(({ stakingTxHash }) => stakingTxHash === txHash))
      for (const { rewardType, amount } of reward.emittedUtxos)
        if (rewardType) earned.set(nodeId ?? '', (earned.get(nodeId ?? '') ?? 0n) + BigInt(amount));
  expect(earned.size).toBeGreaterThan(10);
  interface Reward {
    emittedUtxos: { nodes: { rewardType: string | null; amount: string }[] };
  }
  for (const [nodeId, sum] of earned) {
    const { data } = await gateway.graphql<{ validator: { rewards: { nodes: Reward[] } } }>(
      `{ validator(network: fuji, nodeId: "${nodeId}") { rewards(first: 100) { nodes {
        emittedUtxos(first: 10) { nodes { rewardType amount } } } } } }`,
    );
    const outputs = data.validator.rewards.nodes.flatMap(({ emittedUtxos }) => emittedUtxos.nodes);
    const found = outputs.filter(({ rewardType }) => rewardType).map(({ amount }) => BigInt(amount));
    expect(found.reduce((a, b) => a + b, 0n)).toBe(sum);
  }
});
