import { expect, test } from 'vitest';
import { applyBlocks, type PItem } from '../../../src/follow/primary/p-blocks.js';
import { StakingMachine } from '../../../src/follow/staking/machine.js';
import { noTrouble } from '../../../src/follow/staking/trouble.js';
import { StakingState } from '../../../src/follow/staking/state.js';
import type { SubnetDay } from '../../../src/follow/staking/subnet-fees.js';
import { paidDays } from '../../harness/fee-model.js';
import { Random } from '../../harness/random.js';
import { hasRecordedNode } from '../../harness/recorded-node.js';
import { beginMachine, stakingRecord } from '../../harness/staking-replay.js';

/**
 * 00:00 UTC comes so many seconds after the genesis of the network: before, in and after the time of its L1s.
 */
const midnights = [0, 100, 355, 420, 500, 501, 640, 799];

test.runIf(hasRecordedNode).each(midnights)(
  'fees and payers by day are those of a model that lives every second, midnight %i s after genesis',
  (midnight) => {
    const { genesis } = stakingRecord('network-a');
    const shift = 86_400 - ((genesis.time + midnight) % 86_400);
    const record = stakingRecord('network-a', shift);
    const random = new Random(midnight + 1);
    const days = new Map<string, SubnetDay>();
    let machine = beginMachine(record);
    const note = (all: readonly SubnetDay[]) => {
      for (const one of all) days.set(`${one.subnetId} ${one.day}`, one);
    };
    for (let at = 0; at < record.items.length;) {
      let count = 1 + random.below(60);
      while (!(record.items[Math.min(at + count, record.items.length) - 1] as PItem).mayEndBatch) count += 1;
      applyBlocks(record.items.slice(at, at + count), machine);
      at += count;
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

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
