import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { idOf } from '../../harness/ledger-rows.js';
import { expectGrowingList, paging, within } from '../../harness/list-model.js';
import {
  importPlatform,
  named,
  newestFirst,
  plainTx,
  platformTx,
  platformTxs,
  subnetIds,
  nodeIds,
  validationIdOf,
  type PlatformTx,
} from '../../harness/platform-model.js';
import { expectStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
});
afterAll(() => gateway.close());
beforeEach(() => clear());

const clear = () =>
  poolOf(gateway.storage).query(
    `TRUNCATE transaction, subnet, subnet_transaction, validator, validator_transaction, l1_validator,
       l1_validator_transaction CASCADE`,
  );

const pages = fc.record(paging(5));

let labels = 0;
/** Transactions under names that no others have. */
const newlyNamed = (all: readonly PlatformTx[]) => named(all, `added ${(labels += 1)}`);

const withinL1Validator = (name: string) =>
  within(`l1Validator(network: fuji, validationId: "${validationIdOf(name)}")`, 'nodeId');

/** What each transaction says last of a validator, newest first. */
const changesOf = (all: readonly PlatformTx[], validation: string) =>
  newestFirst(all).flatMap((tx) => {
    const change = tx.l1.filter((each) => each.validation === validation).at(-1);
    return change ? [{ tx, change }] : [];
  });

const changedIn = (all: readonly PlatformTx[]) => [
  ...new Set(all.flatMap(({ l1 }) => l1.map(({ validation }) => validation))),
];

describe('the L1 validators of a network', () => {
  test('are those that transactions changed, as the newest of these left them', async () => {
    const added = fc.array(platformTx, { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(platformTxs, pages, added, async (all, page, more) => {
        await clear();
        await importPlatform(gateway.storage, all);
        const expected = changedIn(all).map(validationIdOf).sort();
        const list = { field: 'l1Validators(network: fuji', key: 'validationId', expected, ...page };
        const { data } = await gateway.graphql<{ l1Validators: { nodes: object[] } }>(
          `{ l1Validators(network: fuji) { nodes {
            validationId weight remainingBalance nodeId subnetId subnet { subnetId } validator { nodeId } } } }`,
        );
        const states = changedIn(all).map((validation) => {
          const { weight, remainingBalance, nodeId, subnetId } = changesOf(all, validation)[0]?.change ?? {};
          return {
            validationId: validationIdOf(validation),
            weight,
            remainingBalance,
            nodeId,
            subnetId,
            subnet: { subnetId },
            validator: { nodeId },
          };
        });
        states.sort((a, b) => (a.validationId < b.validationId ? -1 : 1));
        expect(data.l1Validators.nodes).toEqual(states);
        await expectGrowingList(gateway, list, () => importPlatform(gateway.storage, newlyNamed(more)));
      }),
      { numRuns: 12 },
    );
  });
});

const owners = [
  ...subnetIds.map((id) => ({ parent: 'subnet', argument: 'subnetId', id }) as const),
  ...nodeIds.map((id) => ({ parent: 'validator', argument: 'nodeId', id }) as const),
];

test('the L1 validators of a subnet, or of a node, agree with a naive look at all transactions, while others are added or not', async () => {
  const added = fc.array(platformTx, { minLength: 1, maxLength: 3 });
  const query = fc.record({ owner: fc.constantFrom(...owners), pages });
  await fc.assert(
    fc.asyncProperty(platformTxs, query, added, async (given, { owner, pages }, more) => {
      const { parent, argument, id } = owner;
      await clear();
      // So that each exists, as L1 validators that do not occur again.
      const all = [...given, oneOfEach];
      await importPlatform(gateway.storage, all);
      const expected = changedIn(all)
        .filter((validation) => changesOf(all, validation)[0]?.change[argument] === id)
        .map(validationIdOf)
        .sort();
      const list = {
        field: 'l1Validators(',
        key: 'validationId',
        expected,
        ...pages,
        within: within(`${parent}(network: fuji, ${argument}: "${id}")`, argument),
      };
      // Of separate L1 validators: one that moves elsewhere would leave the list between its pages.
      const others = () =>
        newlyNamed(more).map((each) => ({
          ...each,
          l1: each.l1.map((change) => ({ ...change, validation: `${each.name} ${change.validation}` })),
        }));
      await expectGrowingList(gateway, list, () => importPlatform(gateway.storage, others()));
    }),
    { numRuns: 25 },
  );
});

const oneOfEach: PlatformTx = {
  ...plainTx,
  name: 'one of each',
  l1: subnetIds.map((subnetId, index) => ({
    validation: `of ${index}`,
    subnetId,
    nodeId: nodeIds[index % nodeIds.length] as string,
    weight: 1,
    remainingBalance: 1,
  })),
};

test('the changes of an L1 validator agree with a naive look at all transactions, while others are added or not', async () => {
  const added = fc.array(platformTx, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(platformTxs, pages, added, async (all, page, more) => {
      await clear();
      await importPlatform(gateway.storage, all);
      for (const validation of changedIn(all)) {
        const changes = changesOf(all, validation);
        const expected = changes.map(({ tx }) => idOf(tx.name));
        const parent = withinL1Validator(validation);
        const list = { field: 'changes(', key: 'txHash', expected, ...page, within: parent };
        const { list: found } = (
          await gateway.graphql<{ v: { list: object } }>(
            `{ v: ${parent.wrap(
              'list: changes(first: 100) { nodes { blockTimestamp weight remainingBalance balanceChange transaction { txHash } } }',
            )} }`,
          )
        ).data.v;
        const nodes = changes.map(({ tx, change }) => ({
          blockTimestamp: tx.blockTimestamp,
          weight: change.weight,
          remainingBalance: change.remainingBalance,
          balanceChange: change.balanceChange ?? null,
          transaction: { txHash: idOf(tx.name) },
        }));
        expect(found).toEqual({ nodes });
        await expectGrowingList(gateway, list, () => importPlatform(gateway.storage, newlyNamed(more)));
        await clear();
        await importPlatform(gateway.storage, all);
      }
    }),
    { numRuns: 6 },
  );
});

test('each level of nesting is one statement, whatever the size of the page', async () => {
  const all = Array.from({ length: 40 }, (_, index) => {
    const ends = { subnetId: subnetIds[index % 4] as string, nodeId: nodeIds[index % 3] as string };
    const l1 = [{ validation: String(index >> 1), weight: 1, remainingBalance: 2, ...ends }];
    return { ...plainTx, name: `transaction ${index}`, l1 };
  });
  await importPlatform(gateway.storage, all);
  for (const size of [2, 40]) {
    for (const [levels, inner] of [
      [2, `changes(first: ${size}) { nodes { weight } }`],
      [3, `changes(first: ${size}) { nodes { transaction { txHash } } }`],
      [3, 'subnet { subnetId } validator { nodeId }'],
    ] as const) {
      const query = `{ l1Validators(network: fuji, first: ${size}) { nodes { ${inner} } } }`;
      await expectStatements(gateway, query, levels);
    }
    for (const field of ['subnets', 'validators']) {
      const query = `{ ${field}(network: fuji, first: ${size}) { nodes { l1Validators(first: ${size}) { nodes { weight } } } } }`;
      await expectStatements(gateway, query, 2);
    }
  }
});

test('numbers beyond 2^53 are exact, and a node that is no id is unchanged', async () => {
  const big = 18_446_744_073_709_551_615n;
  const change = { validation: 'a', subnetId: subnetIds[0] as string, nodeId: 'a "node"', weight: 0 };
  const large = { ...change, weight: big as unknown as number, remainingBalance: big as unknown as number };
  await importPlatform(gateway.storage, [{ ...plainTx, name: 'a', l1: [large] }]);
  const query =
    '{ l1Validators(network: fuji) { nodes { nodeId validator { nodeId } weight changes { nodes { remainingBalance } } } } }';
  const headers = { 'content-type': 'application/json' };
  const { text } = await gateway.post('/graphql', headers, JSON.stringify({ query }));
  expect(text).toContain(`"weight":"${big}"`);
  expect(text).toContain(`"remainingBalance":"${big}"`);
  expect(text).toContain('"nodeId":"a \\"node\\"","validator":null');
});

test('the BLS key is what the oldest transaction says, whatever changed since', async () => {
  const change = {
    validation: 'a',
    subnetId: subnetIds[0]!,
    nodeId: nodeIds[0]!,
    weight: 1,
    remainingBalance: 1,
  };
  const blsCredentials = { publicKey: `0x${'8b'.repeat(48)}`, proofOfPossession: `0x${'f2'.repeat(96)}` };
  await importPlatform(gateway.storage, [
    { ...plainTx, name: 'registers', l1: [{ ...change, blsCredentials }] },
    { ...plainTx, name: 'changes', blockTimestamp: 6, l1: [{ ...change, weight: 2 }] },
    { ...plainTx, name: 'changes again', blockTimestamp: 7, l1: [{ ...change, weight: 3 }] },
  ]);
  const { data } = await gateway.graphql<{ l1Validators: { nodes: object[] } }>(
    '{ l1Validators(network: fuji) { nodes { weight blsCredentials { publicKey proofOfPossession } } } }',
  );
  expect(data.l1Validators.nodes).toEqual([{ weight: 3, blsCredentials }]);
});
