import { DAY_SECONDS, dayOf } from '../../avalanche/seconds.js';
import { validatorCost, validatorPrice } from '../../avalanche/chain/validator-fee.js';
import type { ValidatorFeeConfig } from '../../avalanche/chain/validator-fee.js';
import { isOfType } from '../../avalanche/chain/transactions.js';
import type { OutputOwners, PTransaction, ProofOfPossession } from '../../avalanche/codec/types.js';
import { Disagreement } from './disagreement.js';
import type { L1Change, L1Effect } from './l1-effect.js';
import type { L1Validator, L1Validators } from './l1-validators.js';
import { madeOutput } from './made-output.js';
import { spendingOwner, storedOwner } from '../../state/owner.js';
import { lastPaidDay, type SubnetFees } from './subnet-fees.js';

export interface L1Rules {
  /** Null for a node without the fee, which cannot have Etna's blocks. */
  readonly fee: ValidatorFeeConfig | null;
  /** Unix seconds. */
  readonly etnaTime: number;
  readonly avaxAssetId: string;
}

/** How far the fee has come. */
export interface FeeState {
  readonly excess: bigint;
  /** The sum of what one validator would have paid since the beginning, nAVAX. */
  readonly accrued: bigint;
}

/**
 * The balances of L1 validators as fees use them up (ACP-77). They are known when the P-chain is followed
 * from before Etna: what one has left depends on every block since.
 */
export class L1State {
  private time = 0;

  constructor(
    private readonly rules: L1Rules,
    private readonly validators: L1Validators,
    private readonly fees: SubnetFees,
    private state: FeeState,
    /** Whether every block since Etna was applied. */
    readonly isKnown: boolean,
  ) {}

  get fee(): FeeState {
    return this.state;
  }

  /** nAVAX that the next second costs if no validator joins or leaves. */
  get price(): bigint {
    return this.rules.fee === null ? 0n : validatorPrice(this.rules.fee, this.state.excess);
  }

  /** Every active validator pays for the time between two blocks, by UTC day. */
  advance(from: number, to: number): void {
    this.time = to;
    const { fee, etnaTime } = this.rules;
    if (fee === null || !this.isKnown || to < etnaTime) return;
    for (let at = from; at < to;) {
      const day = dayOf(at);
      const end = Math.min(to, (day + 1) * DAY_SECONDS);
      const { cost, excess } = validatorCost(
        fee,
        this.validators.activeCount,
        this.state.excess,
        BigInt(end - at),
      );
      this.fees.pay(day, cost, this.state.accrued);
      this.state = { excess, accrued: this.state.accrued + cost };
      at = end;
    }
    // Removes those that have nothing left. After `settle` of the block before there are none.
    this.endBelow(this.state.accrued + 1n);
  }

  /** After the transactions of a block: deactivates those that cannot pay for the next second. */
  settle(time: number): void {
    const { fee, etnaTime } = this.rules;
    if (fee === null || !this.isKnown || time < etnaTime || this.validators.activeCount === 0n) return;
    const { cost } = validatorCost(fee, this.validators.activeCount, this.state.excess, 1n);
    this.endBelow(this.state.accrued + cost);
  }

  /**
   * @returns null for a transaction that is not about L1 validators, and for one whose effect depends on a
   *   balance that is not known: its validator was registered before the first block that was followed
   * @throws Disagreement for one that names a validator which is not there
   */
  apply(transaction: PTransaction, time: number): L1Effect | null {
    this.time = time;
    if (!isOfType(transaction, 'changes', 'l1Validators')) return null;
    switch (transaction.type) {
      case 'ConvertSubnetToL1Tx':
        return {
          changes: transaction.validators.map(({ validationId, nodeId, weight, balance, signer, ...rest }) =>
            this.added(
              { validationId, subnetId: transaction.subnetId, nodeId, weight },
              rest.remainingBalanceOwner,
              balance,
              signer,
            ),
          ),
          returned: null,
        };
      case 'RegisterL1ValidatorTx': {
        const { message } = transaction.warp;
        if (message.type !== 'RegisterL1Validator') return null;
        const signer = { publicKey: message.blsPublicKey, proof: transaction.proofOfPossession };
        const change = this.added(message, message.remainingBalanceOwner, transaction.balance, signer);
        return { changes: [change], returned: null };
      }
      case 'IncreaseL1ValidatorBalanceTx':
        return this.increased(transaction.validationId, transaction.balance);
      case 'DisableL1ValidatorTx':
        return this.ended(transaction, transaction.validationId, null);
      case 'SetL1ValidatorWeightTx': {
        const { message } = transaction.warp;
        if (message.type !== 'L1ValidatorWeight') return null;
        return message.weight === 0n
          ? this.ended(transaction, message.validationId, 0n)
          : this.weighed(message.validationId, message.weight);
      }
    }
  }

  private added(
    named: Pick<L1Validator, 'validationId' | 'subnetId' | 'nodeId' | 'weight'>,
    owner: OutputOwners,
    balance: bigint,
    signer: ProofOfPossession,
  ): L1Change {
    const { validationId, subnetId, nodeId, weight } = named;
    const inactive = { endFee: 0n, activeSince: null, paidDay: null, sinceFee: null };
    const one = { validationId, subnetId, nodeId, weight, owner: storedOwner(owner), ...inactive };
    const after = this.put(one, balance > 0n ? balance + this.state.accrued : 0n);
    return { after, balance, balanceChange: balance, signer };
  }

  private increased(validationId: string, balance: bigint): L1Effect | null {
    const before = this.known(validationId);
    if (before === null) return null;
    const after = this.put(before, (before.endFee > 0n ? before.endFee : this.state.accrued) + balance);
    return { changes: [{ after, balance: this.balanceOf(after), balanceChange: balance }], returned: null };
  }

  private weighed(validationId: string, weight: bigint): L1Effect | null {
    const before = this.known(validationId);
    if (before === null) return null;
    const after = this.put({ ...before, weight }, before.endFee);
    return { changes: [{ after, balance: this.balanceOf(after), balanceChange: 0n }], returned: null };
  }

  /** @param weight null: the validator stays, inactive */
  private ended(transaction: PTransaction, validationId: string, weight: bigint | null): L1Effect | null {
    const before = this.known(validationId);
    if (before === null) return null;
    const left = this.balanceOf(before);
    const after = this.put({ ...before, weight: weight ?? before.weight }, 0n);
    const outputId = { txId: transaction.id, outputIndex: transaction.outputs.length };
    return {
      changes: [{ after, balance: 0n, balanceChange: -left }],
      returned:
        left > 0n ? madeOutput(outputId, this.rules.avaxAssetId, left, spendingOwner(before.owner)) : null,
    };
  }

  /** Stores a changed validator, which may become active or inactive by this. */
  private put(one: L1Validator, endFee: bigint): L1Validator {
    const { time } = this;
    const [was, is] = [one.endFee > 0n, endFee > 0n];
    const hasPaid = was && !is && one.activeSince !== null && one.activeSince < time;
    const after: L1Validator = {
      ...one,
      endFee,
      activeSince: is ? (was ? one.activeSince : time) : null,
      paidDay: hasPaid ? lastPaidDay(time) : one.paidDay,
      sinceFee: is ? (was ? one.sinceFee : this.state.accrued) : null,
    };
    if (!this.isKnown) return after;
    this.validators.set(after);
    if (is && !was) this.fees.join(after.validationId);
    if (was && !is) this.fees.leave(one, this.state.accrued);
    return after;
  }

  private known(validationId: string): L1Validator | null {
    if (!this.isKnown) return null;
    const known = this.validators.get(validationId);
    if (!known) throw new Disagreement(`the L1 validator ${validationId} is changed, but does not exist`);
    return known;
  }

  private balanceOf({ endFee }: L1Validator): bigint {
    return endFee > 0n ? endFee - this.state.accrued : 0n;
  }

  private endBelow(fee: bigint): void {
    for (const one of this.validators.endingBelow(fee)) this.put(one, 0n);
  }
}
