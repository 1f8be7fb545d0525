import { DAY_SECONDS } from '../../avalanche/seconds.js';
import type { subnetFeeTable } from '../../state/staking.js';
import type { RowOf } from '../../state/table.js';
import type { Changes } from './changes.js';
import type { L1Validator, L1Validators } from './l1-validators.js';

/** What the L1 validators of a subnet have paid on a day. */
export type SubnetDay = RowOf<typeof subnetFeeTable>;

type DayFees = Pick<SubnetDay, 'fees' | 'payers'>;

/** The day of the last second before a moment: the last day with a payment. */
export const lastPaidDay = (time: number): number => Math.floor((time - 1) / DAY_SECONDS);

/** Adds up what the L1 validators of each subnet pay on each day, and counts them. */
export class SubnetFees {
  private readonly sums: Map<string, DayFees>;
  /** Validators that may not have paid yet on the day: those that are new, and all at its beginning. */
  private readonly fresh: Set<string>;
  /** Days that ended since the changes were taken. */
  private readonly ended: SubnetDay[] = [];
  private day: number;

  /**
   * @param time of the chain, Unix seconds
   * @param today what was paid so far on the last day with a payment
   */
  constructor(
    private readonly validators: L1Validators,
    private readonly changes: Changes,
    time: number,
    today: readonly SubnetDay[],
  ) {
    this.day = lastPaidDay(time);
    this.sums = new Map(today.filter(({ day }) => day === this.day).map((one) => [one.subnetId, one]));
    this.fresh = new Set(
      [...validators.allActive]
        .filter(({ activeSince }) => activeSince === time)
        .map(({ validationId }) => validationId),
    );
  }

  /** One became active. */
  join(validationId: string): void {
    this.fresh.add(validationId);
  }

  /**
   * One is not active any longer.
   *
   * @param accrued the sum of fees of one validator since the beginning
   */
  leave({ validationId, sinceFee, endFee }: L1Validator, accrued: bigint): void {
    // A node ends a validator before its balance is used up.
    const untilFee = endFee < accrued ? endFee : accrued;
    if (sinceFee === null || sinceFee >= untilFee) return;
    this.changes.paidFees.push({ validationId, sinceFee, untilFee });
  }

  /**
   * Each active validator pays for a part of a day.
   *
   * @param cost nAVAX of each
   * @param accrued the sum of fees of one validator since the beginning, before this part
   */
  pay(day: number, cost: bigint, accrued: bigint): void {
    if (day !== this.day) this.begin(day, accrued);
    if (cost === 0n) return;
    for (const [subnetId, count] of this.validators.activeBySubnet) this.add(subnetId, cost * count, 0);
    // A node ends a validator before its balance is used up, so none pays more than it has.
    for (const { subnetId, endFee } of this.validators.endingBelow(accrued + cost))
      this.add(subnetId, endFee - (accrued + cost), 0);
    for (const id of this.fresh) {
      const one = this.validators.get(id);
      if (one && one.endFee > 0n && one.paidDay !== day) this.add(one.subnetId, 0n, 1);
    }
    this.fresh.clear();
  }

  /** What changed since the last call: days that have ended, and the day that still runs. */
  takeChanged(): { ended: SubnetDay[]; running: SubnetDay[] } {
    const ended = this.ended.splice(0);
    return { ended, running: this.runningOf(this.changes.fees) };
  }

  private begin(day: number, accrued: bigint): void {
    this.changes.feeDays.push({ day: this.day, accrued });
    this.ended.push(...this.runningOf(this.changes.fees));
    this.changes.fees.clear();
    this.sums.clear();
    this.day = day;
    for (const { validationId } of this.validators.allActive) this.fresh.add(validationId);
  }

  private runningOf(subnets: Iterable<string>): SubnetDay[] {
    return [...subnets].flatMap((subnetId) => {
      const sum = this.sums.get(subnetId);
      return sum ? [{ subnetId, day: this.day, ...sum }] : [];
    });
  }

  private add(subnetId: string, fees: bigint, payers: number): void {
    const before = this.sums.get(subnetId);
    this.sums.set(subnetId, {
      fees: (before?.fees ?? 0n) + fees,
      payers: (before?.payers ?? 0) + payers,
    });
    this.changes.fees.add(subnetId);
  }
}
