import type { feeDayTable, paidFeeTable } from '../../state/staking.js';
import type { RowOf } from '../../state/table.js';

/** What of the state differs from what is stored, by its keys. */
export class Changes {
  /** @param everything whether what is stored is of another state */
  constructor(public everything: boolean) {}

  /** Transactions of stakers that were added, changed or removed. */
  readonly stakers = new Set<string>();
  /** Subnets. */
  readonly supplies = new Set<string>();
  /** Validation ids. */
  readonly l1Validators = new Set<string>();
  /** Subnets whose fees of the day grew. */
  readonly fees = new Set<string>();
  /** What L1 validators paid that are not active any longer. */
  readonly paidFees: RowOf<typeof paidFeeTable>[] = [];
  /** Days that are over. */
  readonly feeDays: RowOf<typeof feeDayTable>[] = [];

  clear(): void {
    this.everything = false;
    for (const each of [this.stakers, this.supplies, this.l1Validators, this.fees]) each.clear();
    for (const each of [this.paidFees, this.feeDays]) each.length = 0;
  }
}
