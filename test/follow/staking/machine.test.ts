import { describe, expect, test } from 'vitest';
import { isDelegator } from '../../../src/avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../../src/avalanche/codec/ids.js';
import { computedRewards } from '../../../src/follow/primary/p-rewards.js';
import { presentState, stateDifference } from '../../../src/follow/staking/present.js';
import type { StakingState } from '../../../src/follow/staking/state.js';
import { hasRecordedNode } from '../../harness/recorded-node.js';
import { beginMachine, replay, stakingRecord } from '../../harness/staking-replay.js';

/** Under this name nodes list the weight of all L1 validators that are not active. */
const INACTIVE = 'NodeID-111111111111111111116DBWJs';
const networks = [
  { network: 'network-a', ends: 453, supplies: 2, heights: 600 },
  { network: 'network-c', ends: 302, supplies: 3, heights: 250 },
];

/** Weight by node of a subnet, as platform.getValidatorsAt says it. */
function weights({ stakers, l1Validators }: StakingState, subnetId: string): Record<string, string> {
  const sums = new Map<string, bigint>();
  const add = (nodeId: string, weight: bigint) => sums.set(nodeId, (sums.get(nodeId) ?? 0n) + weight);
  for (const one of stakers?.set.staking ?? []) if (one.subnetId === subnetId) add(one.nodeId, one.weight);
  for (const one of l1Validators.all)
    if (one.subnetId === subnetId) add(one.endFee > 0n ? one.nodeId : INACTIVE, one.weight);
  return Object.fromEntries([...sums].sort().map(([nodeId, weight]) => [nodeId, weight.toString()]));
}

describe.runIf(hasRecordedNode).each(networks)('the state of stakers of $network', (one) => {
  const record = stakingRecord(one.network);
  const machine = beginMachine(record);
  const asked = record.calls
    .filter(({ method }) => method === 'platform.getValidatorsAt')
    .map(({ args, result }) => ({
      height: args['height'] as number,
      subnetId: (args['subnetID'] as string | undefined) ?? ZERO_ID,
      node: Object.fromEntries(
        Object.entries(result as Record<string, { weight: string }>)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([nodeId, { weight }]) => [nodeId, weight]),
      ),
    }));
  const ours: { height: number; subnetId: string; node: Record<string, string> }[] = [];
  const applied = replay(record, machine, (height) => {
    for (const { subnetId } of asked.filter((each) => each.height === height))
      if (!ours.some((each) => each.height === height && each.subnetId === subnetId))
        ours.push({ height, subnetId, node: weights(machine.state, subnetId) });
  });

  test('pays every staker what the node paid, byte by byte', () => {
    const ended = applied.filter(({ ending }) => ending !== null);
    expect(ended).toHaveLength(one.ends);
    const bytes = (outputs: readonly { bytes: Uint8Array }[]) =>
      outputs.map((each) => Buffer.from(each.bytes));
    for (const each of ended) {
      const computed = computedRewards(each, record.genesis.avaxAssetId) ?? [];
      expect(bytes(computed.map(({ utxo }) => utxo)), each.ending?.staking.id).toEqual(
        bytes(each.ending?.rewards ?? []),
      );
    }
    expect(machine.difference).toBeNull();
  });

  test('is the node’s at the end: supplies, excess, sets, weights, rewards to come, balances', () => {
    const present = presentState(machine.state);
    expect(stateDifference(present, record.end)).toBeNull();
    expect(Object.fromEntries(present.supplies)).toEqual(Object.fromEntries(record.end.supplies));
    expect(present.supplies.size).toBe(one.supplies);
    expect(present.fee).toEqual(record.end.fee);
    for (const [subnetId, validators] of record.end.validators)
      expect((present.validators.get(subnetId) ?? []).map(({ id }) => id).sort()).toEqual(
        validators.map(({ id }) => id).sort(),
      );
  });

  test('has the node’s sets and weights at every height that was asked for, the inactive ones too', () => {
    const byPlace = (a: { height: number; subnetId: string }, b: { height: number; subnetId: string }) =>
      a.height - b.height || (a.subnetId < b.subnetId ? -1 : 1);
    expect(ours.length).toBeGreaterThanOrEqual(one.heights);
    expect(ours.sort(byPlace)).toEqual(asked.sort(byPlace));
    if (one.network === 'network-a')
      expect(asked.filter(({ node }) => INACTIVE in node).length).toBeGreaterThan(20);
  });

  test('nobody is left waiting whose time has come, and no delegator without its validator', () => {
    const { set } = machine.state.stakers!;
    expect(set.waiting.filter(({ start }) => start <= machine.time)).toEqual([]);
    for (const { priority, subnetId, nodeId } of set.staking)
      if (isDelegator(priority)) expect(set.validator(subnetId, nodeId)).toBeDefined();
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
