import { expect, onTestFinished, test } from 'vitest';
import { applyBlocks, type PItem } from '../../../src/follow/primary/p-blocks.js';
import { StakingMachine } from '../../../src/follow/staking/machine.js';
import { noTrouble } from '../../../src/follow/staking/trouble.js';
import { StakingState } from '../../../src/follow/staking/state.js';
import { takeChanges } from '../../../src/follow/staking/store.js';
import type { SubnetDay } from '../../../src/follow/staking/subnet-fees.js';
import { inWriteTransaction } from '../../../src/write/transaction.js';
import { createApp } from '../../harness/app.js';
import { paidDays } from '../../harness/fee-model.js';
import { Random } from '../../harness/random.js';
import { hasRecordedNode } from '../../harness/recorded-node.js';
import { beginMachine, stakingRecord, type StakingRecord } from '../../harness/staking-replay.js';

/**
 * 00:00 UTC comes so many seconds after the genesis of the network: before, in and after the time of its L1s.
 */
const midnights = [0, 100, 355, 420, 500, 501, 640, 799];

const recordAt = (midnight: number) => {
  const { genesis } = stakingRecord('network-a');
  return stakingRecord('network-a', 86_400 - ((genesis.time + midnight) % 86_400));
};

/** The record's blocks, some at a time. */
function* batchesOf({ items }: StakingRecord, random: Random): Generator<PItem[]> {
  for (let at = 0; at < items.length;) {
    let count = 1 + random.below(60);
    while (!(items[Math.min(at + count, items.length) - 1] as PItem).mayEndBatch) count += 1;
    yield items.slice(at, at + count);
    at += count;
  }
}

test.runIf(hasRecordedNode).each(midnights)(
  'fees and payers by day are those of a model that lives every second, midnight %i s after genesis',
  (midnight) => {
    const record = recordAt(midnight);
    const days = new Map<string, SubnetDay>();
    let machine = beginMachine(record);
    const note = (all: readonly SubnetDay[]) => {
      for (const one of all) days.set(`${one.subnetId} ${one.day}`, one);
    };
    for (const items of batchesOf(record, new Random(midnight + 1))) {
      applyBlocks(items, machine);
      const { state } = machine;
      const { ended, running } = state.fees.takeChanged();
      note([...ended, ...running]);
      state.changes.clear();
      // As a follower that was started again: what is stored, and nothing else.
      const today = [...days.values()];
      const stored = {
        time: state.time,
        knowsStakers: true,
        knowsL1Validators: true,
        fee: state.l1.fee,
        today,
      };
      const { set, supplies } = state.stakers!;
      const kept = { ...stored, stakers: [...set.waiting, ...set.staking], supplies };
      const l1Validators = [...state.l1Validators.all];
      machine = new StakingMachine(new StakingState(record.rules, { ...kept, l1Validators }), noTrouble);
    }
    const { fees, payers } = paidDays(record);
    expect(new Map([...days].map(([key, one]) => [key, one.fees]))).toEqual(fees);
    expect(new Map([...days].map(([key, one]) => [key, one.payers]))).toEqual(
      new Map([...payers].map(([key, all]) => [key, all.size])),
    );
    expect(fees.size).toBeGreaterThan(0);
  },
);

test.runIf(hasRecordedNode).each([420])(
  'so are those of each validation and node, as replies say them, midnight %i s after genesis',
  async (midnight) => {
    const record = recordAt(midnight);
    const gateway = await createApp();
    onTestFinished(gateway.close);
    const machine = beginMachine(record);
    for (const items of batchesOf(record, new Random(midnight + 2))) {
      applyBlocks(items, machine);
      const { running } = machine.state.fees.takeChanged();
      const write = takeChanges('fuji', machine.state, noTrouble, running);
      await gateway.storage.session((session) => inWriteTransaction(session, ['fuji'], write));
    }
    const { ofEach } = paidDays(record);
    const points = (of: string) =>
      [...ofEach]
        .filter(([key]) => key.startsWith(`${of} `))
        .map(([key, fees]) => ({ value: Number(fees), timestamp: Number(key.split(' ')[1]) * 86_400 }))
        .sort((a, b) => a.timestamp - b.timestamp);
    const all = new Set([...ofEach.keys()].map((key) => key.split(' ')[0]!));
    expect(all.size).toBeGreaterThan(5);
    let days = 0;
    for (const one of all) {
      const [path, daily, cumulative] = one.startsWith('NodeID-')
        ? ['validator', 'perNodeDailyFeesPaid', 'perNodeCumulativeFeesPaid']
        : ['validation', 'validationFeesDaily', 'validationCumulativeFeesDaily'];
      const wanted = points(one);
      days = Math.max(days, wanted.length);
      const read = async (metric: string, query = '') =>
        (await gateway.get(`/v2/${path}/${one}/metrics/${metric}${query}`)).body;
      expect([one, await read(daily)]).toEqual([one, { results: wanted.toReversed() }]);
      let total = 0;
      const sums = wanted.map(({ value, timestamp }) => ({ value: (total += value), timestamp }));
      expect([one, await read(cumulative)]).toEqual([one, { results: sums.toReversed() }]);
      const after = wanted[0]!.timestamp;
      expect([one, await read(daily, `?startTimestamp=${after}`)]).toEqual([
        one,
        { results: wanted.slice(1).toReversed() },
      ]);
    }
    expect(days).toBe(2);
  },
);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
