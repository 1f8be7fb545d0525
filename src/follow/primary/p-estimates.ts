import { isPermissioned } from '../../avalanche/chain/staker-order.js';
import type { PTransaction } from '../../avalanche/codec/types.js';
import type { StakingMachine } from '../staking/machine.js';
import type { Staker } from '../staking/staker.js';
import type { Applied, Promoted } from './p-blocks.js';
import { estimate } from './p-details.js';
import type { Row } from './rows.js';

/** What a staker that has started is paid if it is rewarded; null for a permissioned one, which never is. */
export const estimatedReward = (staker: Staker | null): bigint | null =>
  staker === null || isPermissioned(staker.priority) ? null : staker.potentialReward;

/** The stakers whose estimated rewards were left out and can be written now, before blocks end any. */
export function leftOut(machine: StakingMachine): Promoted[] {
  const { time, state } = machine;
  return machine.takeLeftOut() ? (state.stakers?.set.staking ?? []).map((staker) => ({ staker, time })) : [];
}

/**
 * Rows of staking transactions that were stored before their reward was known: of stakers that waited, or
 * were left out, and of validators that begin again. Without a block, so that the block of the stored row
 * stays: see mergeTransaction.
 */
export function lateEstimates(
  machine: StakingMachine,
  applied: readonly Applied[],
  promoted: readonly Promoted[],
): Row[] {
  if (!machine.isTrusted) {
    machine.leaveOut();
    return [];
  }
  const renewed = applied.flatMap(({ ended, block }) =>
    ended?.goesOn ? [{ staker: ended.goesOn, time: block.time }] : [],
  );
  return [...promoted, ...renewed].flatMap(({ staker, time }) => {
    const reward = estimatedReward(staker);
    return reward === null ? [] : [lateRow(staker, time, estimate(reward))];
  });
}

/** Fields that a stored transaction gets later. */
export const lateRow = (
  { txId, txType }: Pick<Staker, 'txId' | 'txType'>,
  time: number,
  fields: Row,
): Row => ({
  txHash: txId,
  txType,
  blockTimestamp: time,
  consumedUtxos: [],
  emittedUtxos: [],
  ...fields,
});

/** What ended a stake. */
export const endedRow = ({ transaction, block, ending }: Applied): Row => {
  const { id: txId, type: txType } = ending?.staking as PTransaction;
  return lateRow({ txId, txType }, block.time, { rewardTxHash: transaction.id });
};
