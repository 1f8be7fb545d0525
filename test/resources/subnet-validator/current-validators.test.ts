import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StakerRow } from '../../../src/state/staking.js';
import {
  isDelegator,
  isPending,
  isPermissioned,
  priorities,
} from '../../../src/avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../../src/avalanche/codec/ids.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { idOf } from '../../harness/ledger-rows.js';
import { expectGrowingList, expectList, paging, within } from '../../harness/list-model.js';
import { importPlatform, nodeIdOf, plainTx, subnetIdOf } from '../../harness/platform-model.js';
import {
  addStakers,
  delegationsTo,
  elastic,
  NOW,
  permissioned,
  someStakers,
  stakerLine,
  weightOf,
  writeStakers,
} from '../../harness/present-stakers.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
});
afterAll(() => gateway.close());
beforeEach(() =>
  poolOf(gateway.storage).query(
    'TRUNCATE transaction, subnet, subnet_transaction, validator, validator_transaction, subnet_validator CASCADE',
  ),
);

const MOST = 3_000_000n * 10n ** 9n;

/** What the graph says of a validator, by adding up its delegations one by one. */
function nodeOf(one: StakerRow, all: readonly StakerRow[]) {
  const delegations = delegationsTo(all, one);
  const delegated = weightOf(delegations);
  const weight = one.weight + delegated;
  const most = 5n * one.weight < MOST ? 5n * one.weight : MOST;
  const isPaid = !isPermissioned(one.priority);
  const isRewarded = isPaid && !isPending(one.priority);
  return {
    nodeId: one.nodeId,
    subnetId: one.subnetId,
    isActive: !isPending(one.priority),
    weight: Number(weight),
    ownWeight: Number(one.weight),
    delegatedWeight: Number(delegated),
    delegatorCount: delegations.length,
    delegationCapacity: one.subnetId === ZERO_ID ? Number(most > weight ? most - weight : 0n) : null,
    delegationFeePercent: isPaid ? String(one.shares / 10_000) : null,
    startTimestamp: one.startTime,
    endTimestamp: one.endTime,
    potentialReward: isRewarded ? one.potentialReward.toString() : null,
    delegateeReward: isRewarded ? one.delegateeReward.toString() : null,
    txHash: one.txId,
  };
}
type Node = ReturnType<typeof nodeOf>;
const fields = Object.keys(
  nodeOf(
    stakerLine('any', {
      subnetId: ZERO_ID,
      nodeId: '',
      priority: priorities.validator,
      weight: 1n,
    }),
    [],
  ),
).join(' ');

const filters = fc.record({
  active: fc.option(fc.boolean(), { nil: null }),
  minWeight: fc.constantFrom(null, null, '2000.5', String(MOST / 2n)),
  maxDelegationFeePercent: fc.constantFrom(null, null, '2', '2.0001'),
  minDelegationCapacity: fc.constantFrom(null, null, '1', '8000'),
  endsAfter: fc.constantFrom(null, null, NOW + 6),
  endsBefore: fc.constantFrom(null, null, NOW + 6),
  nodeIdContains: fc.constantFrom(null, null, 'nodeid', nodeIdOf('two').slice(9, 14).toLowerCase(), '%'),
});
type Filters = typeof filters extends fc.Arbitrary<infer T> ? T : never;

const passes = (node: Node, given: Filters) =>
  (given.active === null || node.isActive === given.active) &&
  (given.minWeight === null || node.weight >= Number(given.minWeight)) &&
  (given.maxDelegationFeePercent === null ||
    Number(node.delegationFeePercent ?? 0) <= Number(given.maxDelegationFeePercent)) &&
  (given.minDelegationCapacity === null ||
    (node.delegationCapacity ?? -1) >= Number(given.minDelegationCapacity)) &&
  (given.endsAfter === null || node.endTimestamp >= given.endsAfter) &&
  (given.endsBefore === null || node.endTimestamp < given.endsBefore) &&
  (given.nodeIdContains === null || node.nodeId.toLowerCase().includes(given.nodeIdContains));

const sorts = {
  weight: ({ weight }: Node) => weight,
  endTimestamp: ({ endTimestamp }: Node) => endTimestamp,
  delegationFee: ({ delegationFeePercent }: Node) => Number(delegationFeePercent ?? 0),
};

function expectedOf(all: readonly StakerRow[], subnetId: string, given: Filters, sortBy: keyof typeof sorts) {
  const valueOf = sorts[sortBy];
  return all
    .filter((each) => !isDelegator(each.priority) && each.subnetId === subnetId)
    .map((each) => nodeOf(each, all))
    .filter((each) => passes(each, given))
    .sort((a, b) => valueOf(a) - valueOf(b) || (a.nodeId < b.nodeId ? -1 : 1));
}

const argumentsOf = (given: object) =>
  Object.entries(given)
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'string' && !/^(?:asc|desc|weight|endTimestamp|delegationFee)$/.test(value) ? JSON.stringify(value) : value}`,
    )
    .join(', ');

describe('the present validators of a subnet', () => {
  test('agree with a naive look at all stakers for any filters, sort, page size and direction, by the query and by the subnet, while others start or not', async () => {
    const query = fc.record({
      subnetId: fc.constantFrom(ZERO_ID, elastic, permissioned),
      given: filters,
      sortBy: fc.constantFrom('weight' as const, 'endTimestamp' as const, 'delegationFee' as const),
      sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
      bySubnet: fc.boolean(),
      ...paging(5),
    });
    await importPlatform(
      gateway.storage,
      [ZERO_ID, elastic, permissioned].map((subnetId, index) => ({
        ...plainTx,
        name: `of ${index}`,
        subnetId,
      })),
    );
    let added = 0;
    await fc.assert(
      fc.asyncProperty(someStakers, fc.array(query, { minLength: 2, maxLength: 4 }), async (all, queries) => {
        await writeStakers(gateway.storage, all);
        for (const { subnetId, given, sortBy, sortOrder, bySubnet, ...page } of queries) {
          const nodes = expectedOf(all, subnetId, given, sortBy);
          if (sortOrder === 'desc') nodes.reverse();
          const args = argumentsOf({ ...given, sortBy, sortOrder });
          const list = {
            field: bySubnet
              ? `currentValidators(${args}`
              : `currentValidators(network: fuji, ${subnetId === ZERO_ID ? '' : `subnetId: "${subnetId}", `}${args}`,
            key: fields,
            keyOf: (node: Node) => JSON.stringify(node),
            expected: nodes.map((node) => JSON.stringify(node)),
            ...(bySubnet && { within: within(`subnet(network: fuji, subnetId: "${subnetId}")`, 'subnetId') }),
            ...page,
          };
          await expectGrowingList(gateway, list, () => {
            added += 1;
            const nodeId = nodeIdOf(`added ${added}`);
            return addStakers(gateway.storage, [
              stakerLine(`added ${added}`, {
                subnetId,
                nodeId,
                priority: priorities.validator,
                weight: 2_500n,
              }),
            ]);
          });
          await writeStakers(gateway.storage, all);
        }
      }),
      { numRuns: 12 },
    );
  });

  test('have the delegations that stake or wait, the largest first', async () => {
    await fc.assert(
      fc.asyncProperty(someStakers, fc.record(paging(3)), async (all, page) => {
        await writeStakers(gateway.storage, all);
        const [one] = expectedOf(all, ZERO_ID, noFilter, 'weight');
        if (!one) return;
        const expected = all
          .filter(
            (each) => isDelegator(each.priority) && each.subnetId === ZERO_ID && each.nodeId === one.nodeId,
          )
          .sort((a, b) =>
            a.weight === b.weight ? (a.txId < b.txId ? 1 : -1) : a.weight < b.weight ? 1 : -1,
          );
        await expectList(gateway, {
          field: 'delegations(',
          key: 'txHash nodeId subnetId isActive weight startTimestamp endTimestamp potentialReward',
          keyOf: (node: object) => JSON.stringify(node),
          expected: expected.map((each) =>
            JSON.stringify({
              txHash: each.txId,
              nodeId: each.nodeId,
              subnetId: each.subnetId,
              isActive: !isPending(each.priority),
              weight: Number(each.weight),
              startTimestamp: each.startTime,
              endTimestamp: each.endTime,
              potentialReward: isPending(each.priority) ? null : each.potentialReward.toString(),
            }),
          ),
          within: {
            wrap: (list) =>
              `currentValidators(network: fuji, nodeIdContains: "${one.nodeId}") { nodes { nodeId ${list} } }`,
            find: (data) =>
              (data['currentValidators'] as unknown as { nodes: { list: unknown }[] }).nodes[0]?.list,
          },
          ...page,
        });
      }),
      { numRuns: 10 },
    );
  });

  test('and their totals are known only where the state of stakers is', async () => {
    const node = nodeIdOf('one');
    await importPlatform(gateway.storage, [{ ...plainTx, name: 'primary', subnetId: ZERO_ID }]);
    await writeStakers(gateway.storage, [
      stakerLine('v', { subnetId: ZERO_ID, nodeId: node, priority: priorities.validator, weight: 40n }),
      stakerLine('w', {
        subnetId: ZERO_ID,
        nodeId: nodeIdOf('two'),
        priority: priorities.pendingValidator,
        weight: 9n,
      }),
      stakerLine('d', { subnetId: ZERO_ID, nodeId: node, priority: priorities.delegator, weight: 2n }),
    ]);
    const ask = async () => {
      const { data, errors } = await gateway.graphql(`{ subnet(network: fuji, subnetId: "${ZERO_ID}") {
        totals { activeValidators pendingValidators weight delegatedWeight delegatorCount inactiveL1Validators }
        currentValidators { totalCount } } }`);
      expect(errors).toBeUndefined();
      return data;
    };
    const totals = {
      activeValidators: 1,
      pendingValidators: 1,
      weight: '42',
      delegatedWeight: '2',
      delegatorCount: 1,
      inactiveL1Validators: 0,
    };
    expect(await ask()).toEqual({ subnet: { totals, currentValidators: { totalCount: 2 } } });
    await poolOf(gateway.storage).query(`UPDATE follow_staking SET difference = 'something'`);
    expect(await ask()).toEqual({ subnet: { totals: null, currentValidators: { totalCount: 0 } } });
  });

  test.each([
    ['maxDelegationFeePercent: "100.0001"', /^maxDelegationFeePercent: .* is not a share/],
    ['maxDelegationFeePercent: 2.00001', /^maxDelegationFeePercent: .* is not a share/],
    ['minWeight: "many"', /Decimal|minWeight/],
    ['nodeIdContains: ""', /^nodeIdContains: has 0 characters; 1 to 40 are allowed/],
    ['subnetId: "primary"', /^subnetId: /],
  ])('are refused with %s, and what is allowed is said', async (args, message) => {
    const { errors } = await gateway.graphql(
      `{ currentValidators(network: fuji, ${args}) { nodes { nodeId } } }`,
    );
    expect(errors?.[0]?.message).toMatch(message);
  });
});

const noFilter: Filters = {
  active: null,
  minWeight: null,
  maxDelegationFeePercent: null,
  minDelegationCapacity: null,
  endsAfter: null,
  endsBefore: null,
  nodeIdContains: null,
};

describe('the validators that a subnet ever had', () => {
  test('have their state in this subnet, not that in the primary network', async () => {
    const nodeId = nodeIdOf('one');
    const north = subnetIdOf('north');
    await importPlatform(gateway.storage, [
      { ...plainTx, name: 'first', txType: 'AddValidatorTx', subnetId: ZERO_ID, nodeId },
      { ...plainTx, name: 'second', txType: 'AddSubnetValidatorTx', subnetId: north, nodeId },
    ]);
    const primary = stakerLine('first', {
      subnetId: ZERO_ID,
      nodeId,
      priority: priorities.validator,
      weight: 3_066_564n * 10n ** 9n,
    });
    await writeStakers(gateway.storage, [primary]);
    const ask = async () => {
      const { data, errors } = await gateway.graphql<{ subnet: { validators: { nodes: object[] } } }>(
        `{ subnet(network: fuji, subnetId: "${north}") { activeValidators validators { nodes {
          nodeId isActive weight ownWeight txHash validator { weight } } } } }`,
      );
      expect(errors).toBeUndefined();
      return data.subnet;
    };
    const validator = { weight: Number(primary.weight) };
    const gone = { nodeId, isActive: false, weight: 0, ownWeight: null, txHash: null, validator };
    for (let times = 0; times < 2; times += 1)
      expect(await ask()).toEqual({ activeValidators: 0, validators: { nodes: [gone] } });
    await addStakers(gateway.storage, [
      stakerLine('second', { subnetId: north, nodeId, priority: priorities.permissioned, weight: 20n }),
    ]);
    const active = { nodeId, isActive: true, weight: 20, ownWeight: 20, txHash: idOf('second'), validator };
    expect(await ask()).toEqual({ activeValidators: 1, validators: { nodes: [active] } });
  });

  test('have no state where that of stakers is not known', async () => {
    const nodeId = nodeIdOf('one');
    const north = subnetIdOf('north');
    await writeStakers(gateway.storage, []);
    await poolOf(gateway.storage).query('TRUNCATE follow_staking');
    await importPlatform(gateway.storage, [
      { ...plainTx, name: 'second', txType: 'AddSubnetValidatorTx', subnetId: north, nodeId },
    ]);
    const { data } = await gateway.graphql(
      `{ subnet(network: fuji, subnetId: "${north}") { validators { nodes { nodeId isActive weight endTimestamp } } } }`,
    );
    expect(data).toEqual({
      subnet: { validators: { nodes: [{ nodeId, isActive: null, weight: null, endTimestamp: null }] } },
    });
  });
});
