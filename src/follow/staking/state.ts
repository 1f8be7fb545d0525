import type { ValidatorFeeConfig } from '../../avalanche/chain/validator-fee.js';
import { dayOf } from '../../avalanche/seconds.js';
import { Changes } from './changes.js';
import { L1State, type FeeState } from './l1-state.js';
import { L1Validators, type L1Validator } from './l1-validators.js';
import { StakerSet } from './staker-set.js';
import type { Staker } from './staker.js';
import type { feeDayTable, Supply } from '../../state/staking.js';
import type { RowOf } from '../../state/table.js';
import { Stakers, type StakingForks } from './stakers.js';
import { SubnetFees, type SubnetDay } from './subnet-fees.js';

/** What of a network the state depends on. Times are Unix seconds. */
export interface StakingRules extends StakingForks {
  /** From when L1 validators pay for each second. */
  readonly etnaTime: number;
  readonly avaxAssetId: string;
  /** Constants of the fee of L1 validators; null for a node that does not know it. */
  readonly fee: ValidatorFeeConfig | null;
}

/** The state as it is stored. */
export interface StoredState {
  readonly time: number;
  /** Whether stakers are known: every block since genesis was applied. */
  readonly knowsStakers: boolean;
  /** Whether L1 validators are known: every block since Etna was applied. */
  readonly knowsL1Validators: boolean;
  readonly fee: FeeState;
  readonly stakers: readonly Staker[];
  readonly supplies: ReadonlyMap<string, Supply>;
  readonly l1Validators: readonly L1Validator[];
  /** What was paid so far on the last day with a payment. */
  readonly today: readonly SubnetDay[];
  /**
   * Days whose ends are known of, for a state that is to be written whole. A day without the one before is
   * not complete.
   */
  readonly feeDays?: readonly RowOf<typeof feeDayTable>[];
  /** Whether it replaces everything that is stored. */
  readonly isNew?: boolean;
}

/** The P-chain's state of stakers and L1 validators, in memory, with what of it is not stored yet. */
export class StakingState {
  /** Unix seconds. */
  time: number;
  readonly changes: Changes;
  /** Is called with what does not fit, if the state can still follow the chain. */
  differ: (text: string) => void = () => undefined;
  /** Null when they are not known. */
  readonly stakers: Stakers | null;
  readonly l1Validators: L1Validators;
  readonly fees: SubnetFees;
  readonly l1: L1State;

  constructor(rules: StakingRules, stored: StoredState) {
    const changes = new Changes(stored.isNew ?? false);
    if (stored.isNew) noteAll(stored, changes);
    this.changes = changes;
    this.time = stored.time;
    this.stakers = stored.knowsStakers
      ? new Stakers(rules, new StakerSet(stored.stakers), new Map(stored.supplies), changes, (text) =>
          this.differ(text),
        )
      : null;
    this.l1Validators = new L1Validators(stored.l1Validators, changes);
    this.fees = new SubnetFees(this.l1Validators, changes, stored.time, stored.today);
    this.l1 = new L1State(rules, this.l1Validators, this.fees, stored.fee, stored.knowsL1Validators);
  }

  /** Stakers that have come and gone while nothing of the state is stored need not be removed. */
  forgetGone(): void {
    for (const txId of this.changes.stakers)
      if (!this.stakers?.set.get(txId)) this.changes.stakers.delete(txId);
  }
}

/** Notes that a state is to be written whole. */
export function noteAll(stored: StoredState, changes: Changes): void {
  const { stakers, supplies, l1Validators, feeDays = [] } = stored;
  for (const { txId } of stakers) changes.stakers.add(txId);
  for (const subnetId of supplies.keys()) changes.supplies.add(subnetId);
  for (const { validationId } of l1Validators) changes.l1Validators.add(validationId);
  changes.feeDays.push(...feeDays);
}

/** The state before a chain's first block, or before the first block that is followed. */
export const emptyState = (
  time: number,
  known: Pick<StoredState, 'knowsStakers' | 'knowsL1Validators'>,
): StoredState => ({
  ...known,
  time,
  fee: { excess: 0n, accrued: 0n },
  stakers: [],
  supplies: new Map(),
  l1Validators: [],
  today: [],
  // Nobody has paid before.
  feeDays: known.knowsL1Validators ? [{ day: dayOf(time) - 1, accrued: 0n }] : [],
  isNew: true,
});
