import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { createApp, type TestApp } from '../harness/app.js';
import { countedTransactions, networkDays, networkDaySelection } from '../harness/day-model.js';
import { networkFilling } from '../harness/followed.js';
import { NodeLedger, Sums } from '../harness/node-ledger.js';
import { truthOf, type NodeTruth } from '../harness/node-truth.js';
import { paidDays } from '../harness/fee-model.js';
import { hasRecordedNode } from '../harness/recorded-node.js';
import { stakingRecord } from '../harness/staking-replay.js';

interface AmountDetails {
  amountBurned: { assetId: string; amount: string }[];
  amountL1ValidatorBalanceBurned: { assetId: string; amount: string }[];
}

interface StakeDetails {
  stakingTxHash?: string;
  rewardTxHash?: string;
  estimatedReward?: string;
  endTimestamp?: number;
}

const networks = ['network-a', 'network-c'] as const;

describe.runIf(hasRecordedNode).each(networks)('%s, followed from its genesis', (network) => {
  let gateway: TestApp;
  let truth: NodeTruth;
  let ledger: NodeLedger;

  beforeAll(async () => {
    truth = truthOf(network);
    ledger = new NodeLedger(truth);
    gateway = await createApp({}, { filling: networkFilling(network) });
  });

  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  test('of each asset all that was created is unspent, staked, burned, in the EVM or in balances of L1 validators', async () => {
    const { prisma } = gateway.storage;
    const { avaxAssetId } = truth.genesis;
    const unspent = await prisma.utxo.findMany({
      where: { consumingTxHash: null },
      select: { amount: true, asset: { select: { assetId: true } } },
    });
    const transactions = await prisma.transaction.findMany({ select: { details: true } });
    const burned = transactions
      .map(({ details }) => (details as unknown as AmountDetails).amountBurned)
      .flat();
    const deposited = transactions
      .map(({ details }) => (details as unknown as AmountDetails).amountL1ValidatorBalanceBurned)
      .flat();
    const numbers = (rows: typeof burned) =>
      rows.map(({ assetId, amount }) => ({ assetId, amount: BigInt(amount) }));
    expect(new Sums().add(numbers(deposited)).of(avaxAssetId)).toBe(ledger.deposited);
    const held = new Sums()
      .add(
        unspent.map(({ amount, asset }) => ({ assetId: asset.assetId, amount: BigInt(amount.toFixed(0)) })),
      )
      .add(numbers(burned))
      .add(ledger.evm.entries().map(([assetId, amount]) => ({ assetId, amount })))
      .add([{ assetId: avaxAssetId, amount: ledger.deposited - ledger.returned }]);
    expect(ledger.created.entries().length).toBeGreaterThan(20);
    expect(held.entries()).toEqual(ledger.created.entries());
  });

  test('the state of L1 validators is what the node tells: excess of the fee, weights, balances', async () => {
    const { prisma } = gateway.storage;
    const clock = await prisma.followStaking.findFirstOrThrow();
    const [fee] = truth.state('platform.getValidatorFeeState');
    expect([clock.excess.toFixed(0), clock.price.toFixed(0), Number(clock.chainTime)]).toEqual([
      String(fee!['excess']),
      String(fee!['price']),
      Date.parse(fee!['timestamp'] as string) / 1000,
    ]);
    expect([clock.knowsStakers, clock.knowsL1Validators, clock.difference]).toEqual([true, true, null]);
    const known = truth
      .state('platform.getL1Validator')
      .map(({ validationID, nodeID, subnetID, weight, balance }) => [
        validationID,
        nodeID,
        subnetID,
        weight,
        balance,
      ]);
    const ours = await prisma.followL1Validator.findMany({ where: { weight: { gt: 0 } } });
    const stored = ours.map(({ validationId, nodeId, subnetId, weight, endFee }) => {
      const end = BigInt(endFee.toFixed(0));
      const balance = end === 0n ? 0n : end - BigInt(clock.accrued.toFixed(0));
      return [validationId, nodeId, subnetId, weight.toFixed(0), balance.toString()];
    });
    expect(stored.sort()).toEqual(known.sort());
    const left = known.reduce((sum, [, , , , balance]) => sum + BigInt(balance as string), 0n);
    expect(ledger.deposited - ledger.returned).toBeGreaterThanOrEqual(left);
  });

  test('each stake that has started says what it is paid if it is rewarded, and each that ended what ended it', async () => {
    const { prisma } = gateway.storage;
    const rows = await prisma.transaction.findMany({ where: { chain: 'p' } });
    const details = rows.map(({ txHash, txType, details }) => ({
      txHash,
      txType,
      ...(details as StakeDetails),
    }));
    const ended = new Map(
      details.flatMap(({ stakingTxHash, txHash }) =>
        stakingTxHash ? [[stakingTxHash, txHash] as const] : [],
      ),
    );
    const present = truth
      .state('platform.getCurrentValidators')
      .flatMap(({ validators }) => validators as Record<string, string>[]);
    const potential = new Map(present.map(({ txID, potentialReward }) => [txID, potentialReward]));
    const stakes = details.filter(
      ({ txType }) => txType.startsWith('Add') && txType !== 'AddSubnetValidatorTx',
    );
    expect(stakes.length).toBeGreaterThan(300);
    for (const { txHash, txType, estimatedReward, rewardTxHash, endTimestamp } of stakes) {
      expect(rewardTxHash, txHash).toBe(ended.get(txHash));
      if (endTimestamp === undefined) expect(estimatedReward, txHash).toBeUndefined();
      else if (potential.has(txHash)) expect(estimatedReward, txHash).toBe(potential.get(txHash));
      else expect(estimatedReward, `${txType} ${txHash}`).toMatch(/^\d+$/);
    }
    // What was paid for a stake is at most what was estimated; delegators share it with their validators.
    const rewards = await prisma.utxo.findMany({ where: { rewardType: { not: null } } });
    const estimates = new Map(
      stakes.map(({ txHash, estimatedReward }) => [txHash, BigInt(estimatedReward ?? 0)]),
    );
    for (const { txHash, rewardType, amount } of rewards) {
      const [paid, estimate] = [BigInt(amount.toFixed(0)), estimates.get(txHash) as bigint];
      if (rewardType === 'VALIDATOR') expect(paid, txHash).toBe(estimate);
      if (rewardType === 'DELEGATOR') expect(paid, txHash).toBeLessThanOrEqual(estimate);
    }
  });

  test('the state of stakers was compared with the node’s at its newest block', async () => {
    const { prisma } = gateway.storage;
    const { nextHeight } = await prisma.followPipeline.findFirstOrThrow({ where: { name: 'p' } });
    expect(await prisma.followStaking.findFirst()).toMatchObject({
      knowsStakers: true,
      knowsL1Validators: true,
      difference: null,
      checkedHeight: nextHeight - 1n,
    });
  });

  test('the metrics of subnets are what a model that lives every second says', async () => {
    const { fees, payers } = paidDays(stakingRecord(network));
    for (const [key, sum] of fees) {
      const [subnetId, day] = key.split(' ') as [string, string];
      for (const [metric, value] of [
        ['perSubnetDailyFeesPaid', Number(sum)],
        ['perSubnetCumulativeFeesPaid', Number(sum)],
        ['perSubnetPayingValidators', payers.get(key)?.size],
      ] as const) {
        const { body } = await gateway.get(`/v2/subnet/${subnetId}/metrics/${metric}`);
        expect(body, `${metric} of ${subnetId}`).toMatchObject({
          results: [{ timestamp: Number(day) * 86_400, value }],
        });
      }
    }
    expect(await gateway.storage.prisma.subnetMetric.count()).toBe(2 * fees.size);
    for (const key of fees.keys()) {
      const { data } = await gateway.graphql(
        `{ subnetMetric(subnetId: "${key.split(' ')[0]}", metric: perSubnetDailyFeesPaid) { nodes { isRunning } } }`,
      );
      expect(data).toEqual({ subnetMetric: { nodes: [{ isRunning: true }] } });
    }
  });

  test('the graph has the node’s present state of subnets, validators and L1 validators', async () => {
    const end = stakingRecord(network).end;
    const { data } = await gateway.graphql<Record<string, { nodes: Record<string, unknown>[] }>>(`{
      l1Validators(network: fuji, first: 100) { nodes { validationId isActive balance runsDryAt } }
      subnets(network: fuji, first: 100) { nodes { subnetId activeValidators supply } }
      validators(network: fuji, first: 100) { nodes { nodeId isActive weight potentialReward } }
    }`);
    const [fee] = truth.state('platform.getValidatorFeeState');
    const time = Date.parse(fee!['timestamp'] as string) / 1000;
    const known = [...end.validators.values()].flat().filter(({ balance }) => balance !== null);
    const balances = new Map(known.map(({ id, balance }) => [id, Number(balance)]));
    for (const { validationId, ...rest } of data['l1Validators']!.nodes) {
      const balance = balances.get(validationId as string) ?? 0;
      const runsDryAt = balance > 0 ? time + Math.floor(balance / (fee!['price'] as number)) : null;
      expect(rest, String(validationId)).toEqual({ isActive: balance > 0, balance, runsDryAt });
    }
    for (const { subnetId, activeValidators, supply } of data['subnets']!.nodes) {
      const validators = end.validators.get(subnetId as string) ?? [];
      const active = validators.filter(({ balance }) => balance === null || balance > 0n);
      expect([activeValidators, supply], String(subnetId)).toEqual([
        active.length,
        end.supplies.get(subnetId as string)?.toString() ?? null,
      ]);
    }
    const primary = new Map(end.validators.get(ZERO_ID)?.map((one) => [one.nodeId, one]));
    for (const { nodeId, ...rest } of data['validators']!.nodes) {
      const one = primary.get(nodeId as string);
      expect(rest, String(nodeId)).toEqual({
        isActive: one !== undefined,
        weight: Number((one?.weight ?? 0n) + (one?.delegatorWeight ?? 0n)),
        potentialReward: one?.potentialReward?.toString() ?? null,
      });
    }
  });

  test('the lists of present validators are those of the node, with what it says of each', async () => {
    const { validators } = stakingRecord(network).end;
    expect(validators.size).toBeGreaterThan(1);
    for (const [subnetId, all] of validators) {
      const { data, errors } = await gateway.graphql<Record<string, { nodes: Record<string, unknown>[] }>>(`{
        currentValidators(network: fuji, subnetId: "${subnetId}", active: true, first: 100) { nodes {
          txHash nodeId ownWeight delegatedWeight potentialReward delegateeReward weight } }
        currentL1Validators(network: fuji, subnetId: "${subnetId}", first: 100) { nodes { validationId nodeId balance } }
      }`);
      expect(errors).toBeUndefined();
      const byId = (nodes: object[]) => nodes.map((each) => JSON.stringify(each)).sort();
      const stakers = all.filter(({ balance }) => balance === null);
      expect(byId(data['currentValidators']!.nodes), subnetId).toEqual(
        byId(
          stakers.map((one) => ({
            txHash: one.id,
            nodeId: one.nodeId,
            ownWeight: Number(one.weight),
            delegatedWeight: Number(one.delegatorWeight ?? 0n),
            potentialReward: one.potentialReward?.toString() ?? null,
            delegateeReward: one.delegateeReward?.toString() ?? null,
            weight: Number(one.weight + (one.delegatorWeight ?? 0n)),
          })),
        ),
      );
      const weights = data['currentValidators']!.nodes.map(({ weight }) => weight as number);
      expect(weights).toEqual(weights.toSorted((a, b) => b - a));
      const l1 = all.filter(({ balance }) => balance !== null);
      expect(byId(data['currentL1Validators']!.nodes), subnetId).toEqual(
        byId(l1.map(({ id, nodeId, balance }) => ({ validationId: id, nodeId, balance: Number(balance) }))),
      );
    }
  });

  test('the numbers of days are what the transactions add up to, and their stakes those of the node', async () => {
    const all = await countedTransactions(gateway.storage, 'fuji');
    const { data, errors } = await gateway.graphql<{
      networkStats: { nodes: { timestamp: number }[]; pageInfo: { hasNextPage: boolean } };
    }>(
      `{ networkStats(network: fuji, first: 40) { nodes { ${networkDaySelection} } pageInfo { hasNextPage } } }`,
    );
    expect(errors).toBeUndefined();
    const { nodes } = data.networkStats;
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes).toEqual(nodes.map(({ timestamp }) => timestamp / 86_400).map(networkDays(all)));

    const [state] = await gateway.storage.prisma.followStaking.findMany();
    const now = Number(state?.chainTime);
    const running = all.filter(({ staked, start, end }) => staked > 0n && start! <= now && now < end!);
    const primary = stakingRecord(network).end.validators.get(ZERO_ID) ?? [];
    const weight = primary.reduce((sum, one) => sum + one.weight + (one.delegatorWeight ?? 0n), 0n);
    expect(running.reduce((sum, { staked }) => sum + staked, 0n)).toBe(weight);
  });
});
