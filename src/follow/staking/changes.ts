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

  clear(): void {
    this.everything = false;
    for (const each of [this.stakers, this.supplies, this.l1Validators, this.fees]) each.clear();
  }
}
