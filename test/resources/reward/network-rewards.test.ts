import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { priorities } from '../../../src/avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../../src/avalanche/codec/ids.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../../harness/ledger-rows.js';
import { expectList, paging } from '../../harness/list-model.js';
import { nodeIdOf } from '../../harness/platform-model.js';
import { NOW, stakerLine, writeStakers } from '../../harness/present-stakers.js';
import { importRows } from '../../harness/seed.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
  await importAvax();
});
afterAll(() => gateway.close());
beforeEach(() => clear());

/** Genesis pays AVAX, so that its asset is stored wherever stakers are; amounts of rewards name it. */
const importAvax = () =>
  importRows(gateway.storage, 'fuji.p-chain.transactions', [
    transactionRow('genesis', { emittedUtxos: [utxoRow('genesis', {}, 'fuji')] }),
  ]);

const clear = () =>
  poolOf(gateway.storage).query(
    'TRUNCATE transaction, transaction_output, utxo, utxo_owner, address_transaction, reward_transaction, validator_transaction CASCADE',
  );

const owners = ['alice', 'bob', 'carol'].map((name) => addressOf(name, 'fuji'));
const nodes = ['one', 'two'].map(nodeIdOf);

interface Stake {
  node: string;
  time: number;
  owner: string;
  hasEnded: boolean;
  /** Whether the transaction that ended it is imported before the one that began it. */
  isBackward: boolean;
}

const stakes: fc.Arbitrary<Stake[]> = fc.array(
  fc.record({
    node: fc.constantFrom(...nodes),
    time: fc.constantFrom(NOW - 100, NOW - 99, NOW - 98),
    owner: fc.constantFrom(...owners),
    hasEnded: fc.boolean(),
    isBackward: fc.boolean(),
  }),
  { maxLength: 12 },
);

const stakingHash = (index: number) => idOf(`stakes ${index}`);

async function importStakes(all: readonly Stake[]): Promise<void> {
  const began = all.map(({ node, time, owner, hasEnded }, index) =>
    transactionRow(`stakes ${index}`, {
      txType: 'AddPermissionlessDelegatorTx',
      blockTimestamp: time,
      nodeId: node,
      subnetId: ZERO_ID,
      rewardAddresses: [owner],
      startTimestamp: time,
      endTimestamp: time + 1000,
      ...(hasEnded && { rewardTxHash: idOf(`ends ${index}`) }),
    }),
  );
  const ended = all.map(({ time, owner }, index) =>
    transactionRow(`ends ${index}`, {
      txType: 'RewardValidatorTx',
      blockTimestamp: time,
      stakingTxHash: stakingHash(index),
      emittedUtxos: [
        utxoRow(`reward of ${index}`, { addresses: [owner], rewardType: 'DELEGATOR' }, 'fuji'),
        utxoRow(`stake of ${index}`, { addresses: owners }, 'fuji'),
      ],
    }),
  );
  const has = (wanted: boolean) => (_row: object, index: number) =>
    all[index]!.hasEnded && all[index]!.isBackward === wanted;
  for (const rows of [ended.filter(has(true)), began, ended.filter(has(false))])
    await importRows(gateway.storage, 'fuji.p-chain.transactions', rows);
  const running = all.flatMap(({ node, hasEnded }, index) =>
    hasEnded
      ? []
      : [
          stakerLine(`stakes ${index}`, {
            subnetId: ZERO_ID,
            nodeId: node,
            priority: priorities.delegator,
            weight: 1n,
          }),
        ],
  );
  await writeStakers(gateway.storage, running);
}

test('rewards that were paid, and that are to be paid, are those of any of the addresses for any of the nodes', async () => {
  const asked = fc.record({
    addresses: fc.option(fc.subarray(owners, { minLength: 1 }), { nil: null }),
    nodeIds: fc.option(fc.subarray(nodes, { minLength: 1 }), { nil: null }),
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    ...paging(4),
  });
  await fc.assert(
    fc.asyncProperty(stakes, fc.array(asked, { minLength: 3, maxLength: 4 }), async (all, queries) => {
      await clear();
      await importStakes(all);
      for (const { addresses, nodeIds, sortOrder, ...page } of queries) {
        if (addresses === null && nodeIds === null) continue;
        for (const [field, hasEnded] of [
          ['historicalRewards', true],
          ['pendingRewards', false],
        ] as const) {
          const found = all
            .map((each, index) => ({
              ...each,
              began: stakingHash(index),
              by: idOf(`${hasEnded ? 'ends' : 'stakes'} ${index}`),
            }))
            .filter((each) => each.hasEnded === hasEnded)
            .filter(({ owner }) => addresses === null || addresses.includes(owner))
            .filter(({ node }) => nodeIds === null || nodeIds.includes(node))
            .sort((a, b) => a.time - b.time || (a.by < b.by ? -1 : 1))
            .map(({ began }) => began);
          const given = `addresses: ${JSON.stringify(addresses)}, nodeIds: ${JSON.stringify(nodeIds)}`;
          await expectList(gateway, {
            field: `${field}(network: fuji, ${given}, sortOrder: ${sortOrder}`,
            key: 'txHash',
            expected: sortOrder === 'asc' ? found : found.reverse(),
            ...page,
          });
        }
      }
    }),
    { numRuns: 12 },
  );
});

test('a stake that has ended is not to be paid, even if the transaction that ended it came first', async () => {
  const stake = { node: nodes[0]!, time: NOW - 100, owner: owners[0]!, hasEnded: true };
  await importStakes([
    { ...stake, isBackward: true },
    { ...stake, isBackward: false },
  ]);
  const { rows } = await poolOf(gateway.storage).query<{ open: boolean; node: string | null }>(
    `SELECT DISTINCT l.is_open AS open, v.node_id AS node FROM reward_transaction l LEFT JOIN validator v ON v.id = l.validator_row_id`,
  );
  expect(rows).toEqual([{ open: false, node: nodes[0] }]);
});
