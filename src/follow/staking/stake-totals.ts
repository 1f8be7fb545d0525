import { isDelegator } from '../../avalanche/chain/staker-order.js';
import type { stakeTotalTable } from '../../state/staking.js';
import type { RowOf } from '../../state/table.js';
import { isWaiting, type Staker } from './staker.js';

type StakeTotal = RowOf<typeof stakeTotalTable>;

/** Sums over the stakers of each subnet that has any. */
export class StakeTotals {
  private readonly sums = new Map<string, StakeTotal & { readonly stakers: number }>();
  private readonly changed = new Set<string>();

  /** A staker comes (by 1) or goes (by -1). */
  count(staker: Staker, by: 1 | -1): void {
    const { subnetId } = staker;
    const before = this.sums.get(subnetId) ?? none(subnetId);
    const factor = BigInt(by);
    const waits = isWaiting(staker);
    const validates = !isDelegator(staker.priority);
    const weight = validates && !waits ? staker.weight + staker.delegatedWeight : 0n;
    this.changed.add(subnetId);
    const stakers = before.stakers + by;
    if (stakers === 0) this.sums.delete(subnetId);
    else
      this.sums.set(subnetId, {
        subnetId,
        stakers,
        validators: before.validators + (validates && !waits ? by : 0),
        waiting: before.waiting + (validates && waits ? by : 0),
        delegators: before.delegators + by * staker.delegators,
        weight: before.weight + factor * weight,
        delegatedWeight: before.delegatedWeight + factor * staker.delegatedWeight,
        potentialReward: before.potentialReward + factor * staker.potentialReward,
      });
  }

  /** Those that have changed since the last call, at first all; and the subnets that have none any longer. */
  take(): { readonly put: readonly StakeTotal[]; readonly gone: readonly string[] } {
    const all = [...this.changed];
    this.changed.clear();
    return {
      put: all.flatMap((subnetId) => this.sums.get(subnetId) ?? []),
      gone: all.filter((subnetId) => !this.sums.has(subnetId)),
    };
  }
}

const none = (subnetId: string): StakeTotal & { readonly stakers: number } => ({
  subnetId,
  stakers: 0,
  validators: 0,
  waiting: 0,
  delegators: 0,
  weight: 0n,
  delegatedWeight: 0n,
  potentialReward: 0n,
});
