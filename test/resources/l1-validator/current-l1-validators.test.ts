import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StateRows } from '../../../src/state/staking.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { expectGrowingList, paging, within } from '../../harness/list-model.js';
import { importPlatform, nodeIds, plainTx, subnetIds, validationIdOf } from '../../harness/platform-model.js';
import { ACCRUED, addStakers, NOW, PRICE, writeStakers } from '../../harness/present-stakers.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
});
afterAll(() => gateway.close());

interface Validator {
  subnetId: string;
  nodeId: string;
  weight: number;
  balance: number;
  /** Whether the transaction that registered it is stored: of one of before the first block it is not. */
  isIndexed: boolean;
}

const someValidators = fc.array(
  fc.record({
    subnetId: fc.constantFrom(...subnetIds.slice(0, 2)),
    nodeId: fc.constantFrom(...nodeIds),
    weight: fc.constantFrom(0, 1, 2, 50),
    balance: fc.constantFrom(0, 0, 1, PRICE, 10 * PRICE, 10 * PRICE + 1),
    isIndexed: fc.boolean(),
  }),
  { maxLength: 12 },
);

const lineOf = (
  { balance, weight, isIndexed: _isIndexed, ...each }: Validator,
  name: string,
): StateRows['l1Validators'][number] => ({
  validationId: validationIdOf(name),
  ...each,
  weight: BigInt(weight),
  // One that is removed has no balance.
  endFee: balance > 0 && weight > 0 ? ACCRUED + BigInt(balance) : 0n,
  owner: { threshold: 1, addresses: ['00'.repeat(20)] },
  activeSince: NOW,
  paidDay: null,
  sinceFee: null,
});

/** Stores the validators, and for those that are indexed the transaction that registered them. */
async function store(all: readonly Validator[], label: string, write: typeof writeStakers): Promise<void> {
  const names = all.map((_each, index) => `${label} ${index}`);
  const txs = all.flatMap(({ subnetId, nodeId, isIndexed }, index) => {
    if (!isIndexed) return [];
    const registered = {
      validation: names[index] as string,
      subnetId,
      nodeId,
      weight: 9,
      remainingBalance: 9,
    };
    return [
      { ...plainTx, name: `registers ${names[index]}`, txType: 'RegisterL1ValidatorTx', l1: [registered] },
    ];
  });
  // So that each subnet exists.
  const ofSubnets = subnetIds.map((subnetId) => ({ ...plainTx, name: `of ${subnetId}`, subnetId }));
  await importPlatform(gateway.storage, [...txs, ...ofSubnets]);
  await write(
    gateway.storage,
    [],
    all.map((each, index) => lineOf(each, names[index] as string)),
  );
}

test('the present L1 validators agree with a naive look at all of them for any filters, sort, page size and direction, of the network and of a subnet, while others register or not', async () => {
  const query = fc.record({
    subnetId: fc.constantFrom(null, subnetIds[0] as string, subnetIds[1] as string),
    inSubnet: fc.boolean(),
    active: fc.option(fc.boolean(), { nil: null }),
    minBalance: fc.constantFrom(null, null, '0', '0.5', String(10 * PRICE)),
    runsDryBefore: fc.constantFrom(null, null, NOW + 1, NOW + 10, NOW + 11),
    nodeIdContains: fc.constantFrom(null, null, nodeIds[0]?.slice(8, 12).toLowerCase() ?? null),
    sortBy: fc.constantFrom('balance' as const, 'weight' as const),
    sortOrder: fc.constantFrom('asc', 'desc'),
    ...paging(4),
  });
  let labels = 0;
  await fc.assert(
    fc.asyncProperty(
      someValidators,
      fc.array(query, { minLength: 2, maxLength: 4 }),
      async (all, queries) => {
        const nodes = all.flatMap((each, index) => {
          const { weight, nodeId, subnetId } = each;
          if (weight === 0) return [];
          const isActive = each.balance > 0;
          const runsDryAt = isActive ? NOW + Math.floor(each.balance / PRICE) : null;
          const validationId = validationIdOf(`v ${index}`);
          // The weight of the node is that of its newest transaction.
          return [
            { validationId, nodeId, subnetId, isActive, balance: each.balance, runsDryAt, now: weight },
          ];
        });
        for (const {
          inSubnet,
          subnetId,
          active,
          minBalance,
          runsDryBefore,
          nodeIdContains,
          ...rest
        } of queries) {
          await poolOf(gateway.storage).query(
            'TRUNCATE transaction, l1_validator, l1_validator_transaction CASCADE',
          );
          await store(all, 'v', writeStakers);
          const { sortBy, sortOrder, ...page } = rest;
          const wanted = nodes
            .filter((each) => subnetId === null || each.subnetId === subnetId)
            .filter((each) => active === null || each.isActive === active)
            .filter((each) => minBalance === null || each.balance >= Number(minBalance))
            .filter((each) => runsDryBefore === null || (each.runsDryAt ?? Infinity) < runsDryBefore)
            .filter(({ nodeId }) => nodeIdContains === null || nodeId.toLowerCase().includes(nodeIdContains));
          const valueOf = (each: (typeof nodes)[number]) => (sortBy === 'weight' ? each.now : each.balance);
          wanted.sort((a, b) => valueOf(a) - valueOf(b) || (a.validationId < b.validationId ? -1 : 1));
          if (sortOrder === 'desc') wanted.reverse();
          const bySubnet = inSubnet && subnetId !== null;
          const text = (value: string | null) => JSON.stringify(value);
          const args = `active: ${active}, minBalance: ${text(minBalance)}, runsDryBefore: ${runsDryBefore},
          nodeIdContains: ${text(nodeIdContains)}, sortBy: ${sortBy}, sortOrder: ${sortOrder}`;
          const list = {
            field: bySubnet
              ? `currentL1Validators(${args}`
              : `currentL1Validators(network: fuji, subnetId: ${text(subnetId)}, ${args}`,
            key: 'validationId nodeId subnetId isActive balance runsDryAt',
            keyOf: (node: object) => JSON.stringify(node),
            expected: wanted.map(({ now: _now, ...node }) => JSON.stringify(node)),
            ...(bySubnet && {
              within: within(`subnet(network: fuji, subnetId: ${text(subnetId)})`, 'subnetId'),
            }),
            ...page,
          };
          await expectGrowingList(gateway, list, () => {
            labels += 1;
            const added = {
              subnetId: subnetIds[0] as string,
              nodeId: nodeIds[1] as string,
              weight: 2,
              balance: 7,
              isIndexed: labels % 2 === 0,
            };
            return store([added], `added ${labels}`, addStakers);
          });
        }
      },
    ),
    { numRuns: 10 },
  );
});

test('one that no stored transaction changed is found by its id, with what the state says, until it is removed', async () => {
  const [subnetId = '', nodeId = ''] = [subnetIds[0], nodeIds[0]];
  const unindexed = { subnetId, nodeId, weight: 3, balance: 5, isIndexed: false };
  const validationId = validationIdOf('before 0');
  const find = async () => {
    const { data } = await gateway.graphql<{ l1Validator: { id: string } | null }>(
      `{ l1Validator(network: fuji, validationId: "${validationId}") {
        id nodeId subnetId weight remainingBalance balance validationIdHex changes { nodes { weight } } } }`,
    );
    return data.l1Validator;
  };
  await store([unindexed], 'before', writeStakers);
  const found = await find();
  expect(found).toEqual({
    id: found?.id,
    nodeId,
    subnetId,
    weight: 3,
    remainingBalance: 5,
    balance: 5,
    validationIdHex: null,
    changes: { nodes: [] },
  });
  const { data } = await gateway.graphql(`{ node(id: "${found?.id}") { ... on L1Validator { weight } } }`);
  expect(data).toEqual({ node: { weight: 3 } });
  await store([{ ...unindexed, weight: 0 }], 'before', writeStakers);
  expect(await find()).toBeNull();
});
