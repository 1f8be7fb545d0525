import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZERO_ID } from '../../../src/avalanche/codec/ids.js';
import { nativeAsset, nativeAssetIds } from '../../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { idOf, transactionRow } from '../../harness/ledger-rows.js';
import { nodeIdOf } from '../../harness/platform-model.js';
import { NOW, writeStakers } from '../../harness/present-stakers.js';
import { importRows } from '../../harness/seed.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await writeStakers(gateway.storage, []);
});
afterAll(() => gateway.close());

const BEGIN = NOW - 1000;
const END = NOW - 100;
const what = ['stake', 'first', 'second', 'end'] as const;
type What = (typeof what)[number];

/** The row of a validator's stake, of one of its two delegations, or of the transaction that ended it. */
function rowOf(name: What, node: number, ofNode = node): object {
  const nodeId = nodeIdOf(`ended ${ofNode}`);
  const staked = (amount: string) => [{ assetId: nativeAssetIds.fuji, ...nativeAsset, amount }];
  const period = (startTimestamp: number, endTimestamp: number) => ({
    blockTimestamp: startTimestamp,
    nodeId,
    subnetId: ZERO_ID,
    startTimestamp,
    endTimestamp,
  });
  const of = (each: What) => `${each} ${node}`;
  const delegation = { txType: 'AddPermissionlessDelegatorTx', rewardTxHash: idOf(`unknown ${node}`) };
  switch (name) {
    case 'stake':
      return transactionRow(of(name), {
        ...period(BEGIN, END),
        txType: 'AddPermissionlessValidatorTx',
        delegationFeePercent: '2',
        amountStaked: staked('2000'),
        rewardTxHash: idOf(of('end')),
      });
    case 'first':
      return transactionRow(of(name), { ...period(BEGIN, END), ...delegation, amountStaked: staked('25') });
    case 'second':
      return transactionRow(of(name), {
        ...period(BEGIN + 50, END - 1),
        ...delegation,
        amountStaked: staked(String(100 + node)),
      });
    case 'end':
      return transactionRow(of(name), {
        txType: 'RewardValidatorTx',
        blockTimestamp: END,
        stakingTxHash: idOf(of('stake')),
      });
  }
}

const inEachOrder = (all: readonly What[]): What[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((first) =>
        inEachOrder(all.filter((each) => each !== first)).map((rest) => [first, ...rest]),
      );

async function delegationsOf(node: number): Promise<object> {
  const { status, body } = await gateway.get(`/v1/networks/fuji/validators/${nodeIdOf(`ended ${node}`)}`);
  expect(status).toBe(200);
  const [{ delegatorCount, amountDelegated }] = body.validators;
  return { delegatorCount, amountDelegated };
}

const store = (rows: readonly object[]) =>
  importRows(gateway.storage, 'fuji.p-chain.transactions', [...rows]);

test('an ended stake has the number and the sum of its delegations, in whichever order all of them are imported', async () => {
  const orders = inEachOrder(what);
  for (const step of what.keys()) await store(orders.map((order, node) => rowOf(order[step]!, node)));
  for (const node of orders.keys())
    expect(await delegationsOf(node)).toEqual({ delegatorCount: 2, amountDelegated: String(125 + node) });
});

test('a delegation that turns out to be to another node is counted there', async () => {
  await store(what.flatMap((each) => [rowOf(each, 100), rowOf(each, 101)]));
  await store([rowOf('second', 100, 101)]);
  expect(await delegationsOf(100)).toEqual({ delegatorCount: 1, amountDelegated: '25' });
  expect(await delegationsOf(101)).toEqual({ delegatorCount: 3, amountDelegated: String(25 + 201 + 200) });
});
