import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isDelegator, priorities } from '../../../src/avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../../src/avalanche/codec/ids.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../../harness/ledger-rows.js';
import { expectGrowingList, expectList, paging, within } from '../../harness/list-model.js';
import { nodeIdOf } from '../../harness/platform-model.js';
import { NOW, stakerLine, writeStakers } from '../../harness/present-stakers.js';
import { importRows } from '../../harness/seed.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
});
afterAll(() => gateway.close());
beforeEach(() => clear());

const clear = () =>
  poolOf(gateway.storage).query(
    'TRUNCATE transaction, utxo, utxo_owner, transaction_output, address_balance, address_holding, holding_output, address_day, address_transaction, reward_transaction CASCADE',
  );

const owners = ['alice', 'bob', 'carol'].map((name) => addressOf(name, 'fuji'));
const NODE = nodeIdOf('one');

interface Stake {
  delegates: boolean;
  time: number;
  /** Who is named as paid. */
  named: string[];
  /** Who was paid, if it has ended. */
  paid: string[] | null;
}

const someStakes: fc.Arbitrary<Stake[]> = fc.array(
  fc.record({
    delegates: fc.boolean(),
    time: fc.constantFrom(NOW - 100, NOW - 99, NOW - 98),
    named: fc.subarray(owners),
    paid: fc.option(fc.subarray(owners, { minLength: 1 }), { nil: null }),
  }),
  { maxLength: 12 },
);

/** The transactions of a stake. */
function rowsOf({ delegates, time, named, paid }: Stake, name: string) {
  const staking = {
    name: `stakes ${name}`,
    txType: delegates ? 'AddPermissionlessDelegatorTx' : 'AddPermissionlessValidatorTx',
    time,
    about: named,
    row: {
      nodeId: NODE,
      subnetId: ZERO_ID,
      rewardAddresses: named,
      startTimestamp: time,
      endTimestamp: time + 1000,
      ...(paid && { rewardTxHash: idOf(`ends ${name}`) }),
    },
  };
  if (!paid) return [staking];
  const reward = utxoRow(`reward of ${name}`, { addresses: paid, rewardType: 'VALIDATOR' });
  const change = utxoRow(`stake of ${name}`, { addresses: owners });
  const emittedUtxos = [reward, change];
  const row = { stakingTxHash: idOf(staking.name), emittedUtxos };
  return [staking, { name: `ends ${name}`, txType: 'RewardValidatorTx', time, about: paid, row }];
}

const importStakes = (all: readonly Stake[], label: string) =>
  importRows(
    gateway.storage,
    'fuji.p-chain.transactions',
    all
      .flatMap((each, index) => rowsOf(each, `${label} ${index}`))
      .map(({ name, txType, time, row }) => transactionRow(name, { txType, blockTimestamp: time, ...row })),
  );

const ofAddress = (address: string) => within(`address(network: fuji, address: "${address}")`, 'address');

test('the transactions about rewards of an address are those that name it as paid and those that paid it, for any types and times, while others are added or not', async () => {
  const query = fc.record({
    address: fc.constantFrom(...owners),
    txTypes: fc.constantFrom<(string[] | null)[]>(
      null,
      ['RewardValidatorTx'],
      ['RewardValidatorTx', 'AddPermissionlessDelegatorTx'],
    ),
    since: fc.constantFrom(null, NOW - 99),
    ...paging(5),
  });
  let labels = 0;
  await fc.assert(
    fc.asyncProperty(someStakes, fc.array(query, { minLength: 2, maxLength: 3 }), async (all, queries) => {
      const rows = all.flatMap((each, index) => rowsOf(each, `stake ${index}`));
      for (const { address, txTypes, since, ...page } of queries) {
        await clear();
        await importStakes(all, 'stake');
        const expected = rows
          .filter(({ about }) => about.includes(address))
          .filter(({ txType }) => txTypes === null || txTypes.includes(txType))
          .filter(({ time }) => since === null || time >= since)
          .map(({ name, time }) => ({ hash: idOf(name), time }))
          .sort((a, b) => b.time - a.time || (a.hash < b.hash ? 1 : -1));
        const list = {
          field: `rewardTransactions(txTypes: ${txTypes && `[${txTypes.join(', ')}]`}, since: ${since}`,
          key: 'txHash',
          expected: expected.map(({ hash }) => hash),
          within: ofAddress(address),
          ...page,
        };
        await expectGrowingList(gateway, list, () => {
          labels += 1;
          return importStakes(
            [{ delegates: true, time: NOW - 99, named: [...owners], paid: null }],
            `added ${labels}`,
          );
        });
      }
    }),
    { numRuns: 10 },
  );
});

const rewardedBy = async (address: string) => {
  const query = `{ address(network: fuji, address: "${address}") { rewardTransactions { nodes { txHash } } } }`;
  const { data } = await gateway.graphql<{
    address: { rewardTransactions: { nodes: { txHash: string }[] } } | null;
  }>(query);
  return data.address?.rewardTransactions.nodes.map(({ txHash }) => txHash) ?? [];
};

test('who was paid follows what is corrected of outputs: their owners, and that they are rewards', async () => {
  const [alice, bob, carol] = owners as [string, string, string];
  await importStakes([{ delegates: false, time: NOW, named: [], paid: [alice] }], 'corrected');
  const ended = [idOf('ends corrected 0')];
  const correct = (output: string, row: object) =>
    importRows(gateway.storage, 'fuji.p-chain.utxos', [utxoRow(`${output} of corrected 0`, row)]);
  expect(await Promise.all(owners.map(rewardedBy))).toEqual([ended, [], []]);
  await correct('reward', { addresses: [bob] });
  expect(await Promise.all(owners.map(rewardedBy))).toEqual([[], ended, []]);
  await correct('stake', { addresses: [carol], rewardType: 'DELEGATOR' });
  expect(await Promise.all(owners.map(rewardedBy))).toEqual([[], ended, ended]);
});

test('a stake of a network whose stakes may be longer than a year is listed too', async () => {
  const [alice] = owners as [string];
  const old = NOW - 900 * 86_400;
  await importStakes([{ delegates: false, time: old, named: [alice], paid: null }], 'long');
  const line = stakerLine('stakes long 0', {
    subnetId: ZERO_ID,
    nodeId: NODE,
    priority: priorities.validator,
    weight: 100n,
    startTime: old + 86_400,
  });
  await writeStakers(gateway.storage, [line]);
  const { data } = await gateway.graphql(
    `{ address(network: fuji, address: "${alice}") { pendingRewards { nodes { txHash } } } }`,
  );
  expect(data).toEqual({ address: { pendingRewards: { nodes: [{ txHash: line.txId }] } } });
});

test('the rewards that an address is not paid yet are those of the stakes of now that name it', async () => {
  await fc.assert(
    fc.asyncProperty(
      someStakes,
      fc.constantFrom(...owners),
      fc.record(paging(3)),
      async (all, address, page) => {
        await clear();
        await importStakes(all, 'stake');
        const running = all.flatMap((each, index) => {
          if (each.paid) return [];
          const { validator, delegator } = priorities;
          const line = stakerLine(`stakes stake ${index}`, {
            subnetId: ZERO_ID,
            nodeId: NODE,
            priority: each.delegates ? delegator : validator,
            weight: BigInt(100 + index),
            delegateeReward: each.delegates ? 0n : 3n,
          });
          return [{ ...each, line }];
        });
        await writeStakers(
          gateway.storage,
          running.map(({ line }) => line),
        );
        const expected = running
          .filter(({ named }) => named.includes(address))
          .sort((a, b) => b.time - a.time || (a.line.txId < b.line.txId ? 1 : -1))
          .map(({ line, named }) =>
            JSON.stringify({
              txHash: line.txId,
              nodeId: NODE,
              subnetId: ZERO_ID,
              isDelegation: isDelegator(line.priority),
              weight: Number(line.weight),
              startTimestamp: line.startTime,
              endTimestamp: line.endTime,
              potentialReward: '7',
              delegateeReward: String(line.delegateeReward),
              rewardAddresses: named,
              transaction: { txHash: line.txId },
            }),
          );
        await expectList(gateway, {
          field: 'pendingRewards(',
          key: `txHash nodeId subnetId isDelegation weight startTimestamp endTimestamp potentialReward delegateeReward
          rewardAddresses transaction { txHash }`,
          keyOf: (node: object) => JSON.stringify(node),
          expected,
          within: ofAddress(address),
          ...page,
        });
      },
    ),
    { numRuns: 10 },
  );
});
