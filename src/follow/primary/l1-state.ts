import { validatorCost, type ValidatorFeeConfig } from '../../avalanche/chain/validator-fee.js';
import type { OutputOwners, PTransaction, ProofOfPossession, Utxo } from '../../avalanche/codec/types.js';
import type { Memo } from '../pipeline.js';
import type { BalanceOwner, L1Validator, L1Validators } from './l1-validators.js';
import { returnedBalance } from './returned-balance.js';

/** What a transaction did to one L1 validator. */
export interface L1Change {
  readonly after: L1Validator;
  /** nAVAX after the transaction. */
  readonly balance: bigint;
  /** nAVAX, negative when it was returned; 0: not changed. */
  readonly balanceChange: bigint;
  readonly signer?: ProofOfPossession;
}

/** What a transaction did to L1 validators. */
export interface L1Effect {
  readonly changes: readonly L1Change[];
  /** The output that gives back what was left: it stands in no block. */
  readonly returned: Utxo | null;
}

export interface L1Rules {
  /** Null for a node without the fee, which cannot have Etna's blocks. */
  readonly fee: ValidatorFeeConfig | null;
  /** Unix seconds. */
  readonly etnaTime: number;
  readonly avaxAssetId: string;
}

/**
 * The balances of L1 validators as fees use them up (ACP-77). They are known when the P-chain is followed from before
 * Etna: what one has left depends on every block since.
 */
export class L1State {
  private excess = 0n;
  private accrued = 0n;
  private isKnown = false;

  constructor(
    private readonly rules: L1Rules,
    private readonly validators: L1Validators,
  ) {}

  /**
   * Goes on from what the batch before has left.
   *
   * @param isComplete for the first batch: whether it begins before there were L1 validators
   */
  resume(memo: Memo | null, isComplete: boolean): void {
    this.excess = BigInt(memo?.['l1Excess'] ?? 0);
    this.accrued = BigInt(memo?.['l1Accrued'] ?? 0);
    this.isKnown = memo === null ? isComplete : memo['l1Known'] === true;
  }

  get memo(): Memo {
    return { l1Known: this.isKnown, l1Excess: this.excess.toString(), l1Accrued: this.accrued.toString() };
  }

  /** Every active validator pays for the time between two blocks. */
  advance(from: number, to: number): void {
    const { fee, etnaTime } = this.rules;
    if (fee === null || !this.isKnown || to < etnaTime || to <= from) return;
    const { cost, excess } = validatorCost(fee, this.validators.activeCount, this.excess, BigInt(to - from));
    this.excess = excess;
    this.accrued += cost;
    // Those that have nothing left; the rule after the transactions before has left none of them.
    this.endBelow(this.accrued + 1n);
  }

  /** After the transactions of a block those leave that cannot pay the next second. */
  settle(time: number): void {
    const { fee, etnaTime } = this.rules;
    if (fee === null || !this.isKnown || time < etnaTime || this.validators.activeCount === 0n) return;
    const { cost } = validatorCost(fee, this.validators.activeCount, this.excess, 1n);
    this.endBelow(this.accrued + cost);
  }

  /**
   * @returns null for a transaction that is not about L1 validators, and for one whose effect depends on a balance that is
   * not known: its validator was registered before the first block that was followed
   */
  apply(transaction: PTransaction): L1Effect | null {
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
      default:
        return null;
    }
  }

  private added(
    { validationId, subnetId, nodeId, weight }: Omit<L1Validator, 'endFee' | 'owner'>,
    owner: OutputOwners,
    balance: bigint,
    signer: ProofOfPossession,
  ): L1Change {
    const endFee = balance > 0n ? balance + this.accrued : 0n;
    const after = { validationId, subnetId, nodeId, weight, endFee, owner: storedOwner(owner) };
    this.validators.set(after);
    return { after, balance, balanceChange: balance, signer };
  }

  private increased(validationId: string, balance: bigint): L1Effect | null {
    const before = this.stateOf(validationId);
    if (!before) return null;
    const after = { ...before, endFee: (before.endFee > 0n ? before.endFee : this.accrued) + balance };
    this.validators.set(after);
    return { changes: [{ after, balance: this.balanceOf(after), balanceChange: balance }], returned: null };
  }

  private weighed(validationId: string, weight: bigint): L1Effect | null {
    const before = this.stateOf(validationId);
    if (!before) return null;
    const after = { ...before, weight };
    this.validators.set(after);
    return { changes: [{ after, balance: this.balanceOf(after), balanceChange: 0n }], returned: null };
  }

  /** @param weight null: the validator stays, inactive */
  private ended(transaction: PTransaction, validationId: string, weight: bigint | null): L1Effect | null {
    const before = this.stateOf(validationId);
    if (!before) return null;
    const left = this.balanceOf(before);
    const after = { ...before, endFee: 0n, weight: weight ?? before.weight };
    this.validators.set(after);
    const place = { txId: transaction.id, outputIndex: transaction.outputs.length };
    return {
      changes: [{ after, balance: 0n, balanceChange: -left }],
      returned: left > 0n ? returnedBalance(place, this.rules.avaxAssetId, left, before.owner) : null,
    };
  }

  private stateOf(validationId: string): L1Validator | undefined {
    return this.isKnown ? this.validators.get(validationId) : undefined;
  }

  private balanceOf({ endFee }: L1Validator): bigint {
    return endFee > 0n ? endFee - this.accrued : 0n;
  }

  private endBelow(fee: bigint): void {
    for (const one of this.validators.endingBelow(fee)) this.validators.set({ ...one, endFee: 0n });
  }
}

const storedOwner = ({ threshold, addresses }: OutputOwners): BalanceOwner => ({
  threshold,
  addresses: addresses.map((address) => Buffer.from(address).toString('hex')),
});

/** The L1 validators that a transaction changes and does not make. */
export function changedValidations(transaction: PTransaction): string[] {
  switch (transaction.type) {
    case 'IncreaseL1ValidatorBalanceTx':
    case 'DisableL1ValidatorTx':
      return [transaction.validationId];
    case 'SetL1ValidatorWeightTx': {
      const { message } = transaction.warp;
      return 'validationId' in message ? [message.validationId] : [];
    }
    default:
      return [];
  }
}
