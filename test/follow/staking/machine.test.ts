import { beforeAll, describe, expect, test } from 'vitest';
import { isDelegator } from '../../../src/avalanche/chain/staker-order.js';
import type { Applied } from '../../../src/follow/primary/p-blocks.js';
import { computedRewards } from '../../../src/follow/primary/p-rewards.js';
import type { StakingMachine } from '../../../src/follow/staking/machine.js';
import { presentState, stateDifference } from '../../../src/follow/staking/present.js';
import { INACTIVE_NODE_ID } from '../../../src/follow/staking/validator-weights.js';
import { hasRecordedNode } from '../../harness/recorded-node.js';
import { beginMachine, replay, stakingRecord, type StakingRecord } from '../../harness/staking-replay.js';
import { weightsOf, type SetAt } from '../../harness/validator-sets.js';

const networks = [
  { network: 'network-a', ends: 453, supplies: 2, heights: 600 },
  { network: 'network-c', ends: 302, supplies: 3, heights: 250 },
];

describe.runIf(hasRecordedNode).each(networks)('the state of stakers of $network', (one) => {
  let record: StakingRecord;
  let machine: StakingMachine;
  let applied: Applied[];
  const ours: SetAt[] = [];

  beforeAll(() => {
    record = stakingRecord(one.network);
    machine = beginMachine(record);
    applied = replay(record, machine, (height) => {
      for (const { subnetId } of record.sets.get(height) ?? [])
        ours.push({ height, subnetId, weights: weightsOf(machine.state, subnetId) });
    });
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
    const asked = [...record.sets.values()].flat();
    expect(asked.length).toBeGreaterThanOrEqual(one.heights);
    expect(ours).toEqual(asked);
    if (one.network === 'network-a')
      expect(asked.filter(({ weights }) => INACTIVE_NODE_ID in weights).length).toBeGreaterThan(20);
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
