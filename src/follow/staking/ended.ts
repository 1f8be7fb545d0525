import type { Staker } from './staker.js';
import type { StoredOwner } from '../../state/owner.js';

/** What the end of a period pays: to the staker, and to the validator for its delegators. */
export interface Pay {
  readonly own: bigint;
  readonly fee: bigint;
}

/** The end of a staker's period. */
export interface Ended {
  readonly staker: Staker;
  readonly pay: Pay;
  /** Who gets the validator's part; null where there is none. */
  readonly feeOwner: StoredOwner | null;
  /** The validator that continues the stake. */
  readonly goesOn: Staker | null;
}

/** Without what became of the staker. */
export type Paid = Pick<Ended, 'pay' | 'feeOwner'>;

/** What a validator has earned with its delegators is its own, whether it is rewarded or not. */
export const payValidator = (staker: Staker, isRewarded: boolean): Paid => ({
  pay: { own: isRewarded ? staker.potentialReward : 0n, fee: staker.delegateeReward },
  feeOwner: staker.feeOwner,
});
