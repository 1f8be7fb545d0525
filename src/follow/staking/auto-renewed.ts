import { splitReward } from '../../avalanche/chain/reward.js';
import { priorities } from '../../avalanche/chain/staker-order.js';
import { MOST_STAKE } from '../../avalanche/chain/stake-limits.js';
import type { Renewal } from '../../state/staking.js';
import type { Pay } from './ended.js';
import type { Staker } from './staker.js';

/**
 * The end of a period of a validator that begins again by itself (ACP-236). When it is rewarded, a part of
 * its rewards joins its stake, and the others are paid. When it is not, or has chosen to end, all that it has
 * staked of its rewards is paid.
 *
 * @returns what is paid, and the validator as it begins again; null when it does not
 */
export function autoRenewed(
  { renewal, ...staker }: Staker,
  isRewarded: boolean,
): { pay: Pay; next: Staker | null } {
  const { accruedReward, accruedDelegateeReward, ...period } = renewal as Renewal;
  const reward = isRewarded ? staker.potentialReward : 0n;
  const { delegateeReward: fee, weight } = staker;
  if (!isRewarded || period.period === 0)
    return { pay: { own: reward + accruedReward, fee: fee + accruedDelegateeReward }, next: null };
  const kept = keptOf(reward, fee, period.shares, MOST_STAKE - weight);
  const next: Staker = {
    ...staker,
    priority: priorities.pendingValidator,
    start: staker.end,
    end: Math.min(staker.end + period.period, Number.MAX_SAFE_INTEGER),
    nextTime: staker.end,
    weight: weight + kept.own + kept.fee,
    delegateeReward: 0n,
    renewal: {
      ...period,
      accruedReward: accruedReward + kept.own,
      accruedDelegateeReward: accruedDelegateeReward + kept.fee,
    },
  };
  return { pay: { own: reward - kept.own, fee: fee - kept.fee }, next };
}

/** What of both rewards joins the stake, at most as much as there is room for, in the same proportion. */
function keptOf(reward: bigint, fee: bigint, shares: number, room: bigint): Pay {
  const own = splitReward(reward, shares).validator;
  const ofFee = splitReward(fee, shares).validator;
  const total = own + ofFee;
  if (total <= room) return { own, fee: ofFee };
  const fitting = (own * room) / total;
  return { own: fitting, fee: room - fitting };
}
