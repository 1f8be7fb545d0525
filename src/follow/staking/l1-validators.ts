import type { l1ValidatorTable } from '../../state/staking.js';
import type { RowOf } from '../../state/table.js';
import type { Changes } from './changes.js';

/** An L1 validator as the P-chain's state has it. */
export type L1Validator = RowOf<typeof l1ValidatorTable>;

/** The L1 validators that were not removed, in memory: each active one pays for each second. */
export class L1Validators {
  private readonly byId = new Map<string, L1Validator>();
  private readonly active = new Map<string, L1Validator>();
  private readonly bySubnet = new Map<string, bigint>();
  private readonly removed = new Map<string, L1Validator>();
  private least: bigint | null = null;

  constructor(
    validators: readonly L1Validator[],
    private readonly changes: Changes,
  ) {
    for (const one of validators) this.insert(one);
  }

  get size(): number {
    return this.byId.size;
  }

  get all(): Iterable<L1Validator> {
    return this.byId.values();
  }

  get allActive(): Iterable<L1Validator> {
    return this.active.values();
  }

  get activeCount(): bigint {
    return BigInt(this.active.size);
  }

  /** How many are active, by subnet. */
  get activeBySubnet(): ReadonlyMap<string, bigint> {
    return this.bySubnet;
  }

  get(validationId: string): L1Validator | undefined {
    return this.byId.get(validationId);
  }

  set(one: L1Validator): void {
    this.insert(one);
    this.changes.l1Validators.add(one.validationId);
  }

  /** A validator that was changed, even if it is removed by now. */
  changed(validationId: string): L1Validator | undefined {
    return this.byId.get(validationId) ?? this.removed.get(validationId);
  }

  /** The changes are written: who was removed is not needed any longer. */
  forgetRemoved(): void {
    this.removed.clear();
  }

  /** The active ones whose balance is spent below this sum of fees. */
  endingBelow(fee: bigint): L1Validator[] {
    if (this.active.size === 0) return [];
    this.least ??= [...this.active.values()].reduce(
      (least, { endFee }) => (endFee < least ? endFee : least),
      2n ** 64n,
    );
    // The usual case: a block costs only this comparison.
    if (this.least >= fee) return [];
    return [...this.active.values()].filter(({ endFee }) => endFee < fee);
  }

  private insert(one: L1Validator): void {
    const { validationId, subnetId, endFee, weight } = one;
    this.least = null;
    if (this.active.delete(validationId)) this.count(subnetId, -1n);
    if (endFee > 0n) {
      this.active.set(validationId, one);
      this.count(subnetId, 1n);
    }
    if (weight > 0n) this.byId.set(validationId, one);
    else {
      this.byId.delete(validationId);
      this.removed.set(validationId, one);
    }
  }

  private count(subnetId: string, change: bigint): void {
    const count = (this.bySubnet.get(subnetId) ?? 0n) + change;
    if (count === 0n) this.bySubnet.delete(subnetId);
    else this.bySubnet.set(subnetId, count);
  }
}
