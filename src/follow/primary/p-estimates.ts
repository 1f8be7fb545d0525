import { isPermissioned } from '../../avalanche/chain/staker-order.js';
import type { StakingMachine } from '../staking/machine.js';
import type { Staker } from '../staking/staker.js';
import type { Applied, Promoted } from './p-blocks.js';
import { estimate } from './p-details.js';
import type { Row } from './rows.js';

/** What a staker that has started is paid if it is rewarded; null for a permissioned one, which never is. */
export const estimatedReward = (staker: Staker | null): bigint | null =>
  staker === null || isPermissioned(staker.priority) ? null : staker.potentialReward;

/**
 * Rows of staking transactions that were stored before their reward was known: of stakers that waited, and of
 * validators that begin again; of all stakers where our state was not trusted in between. Without a block, so
 * that the block of the stored row stays: see mergeTransaction.
 */
export function lateEstimates(
  machine: StakingMachine,
  applied: readonly Applied[],
  promoted: readonly Promoted[],
): Row[] {
  if (!machine.isTrusted) return [];
  const renewed = applied.flatMap(({ ended, block }) =>
    ended?.goesOn ? [{ staker: ended.goesOn, time: block.time }] : [],
  );
  const all = machine.takeRestored() ? (machine.state.stakers?.set.staking ?? []) : [];
  const missed = all.map((staker) => ({ staker, time: machine.time }));
  return [...missed, ...promoted, ...renewed].flatMap(({ staker, time }) => {
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
