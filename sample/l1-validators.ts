import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeCb58, encodeCb58 } from '../src/avalanche/cb58.js';
import type { NamesWhere } from '../src/avalanche/chain/transactions.js';
import { firstValidationId } from '../src/avalanche/codec/ids.js';
import { DAY_SECONDS, dayOf } from '../src/avalanche/seconds.js';
import type { TransactionLine } from '../src/resources/transaction/import-row.js';
import { nAvax } from './assets.js';
import { blsCredentialsOf } from './bls-credentials.js';
import { firstSecond } from './clock.js';
import { baseFee } from './fees.js';
import { evmAddressOf, hashOf, nodeIdOf } from './ids.js';
import type { L1 } from './l1s.js';
import type { Ledger } from './ledger.js';
import type { Owner, Owners } from './owners.js';
import type { Random } from './random.js';
import type { StateRows } from '../src/state/staking.js';
import { storedOwnerOf } from './state.js';

type Details = NonNullable<TransactionLine['l1ValidatorDetails']>[number];

/** What an active validator of an L1 pays for each second, in nAVAX. */
const FEE_PER_SECOND = 512;

interface L1Validator {
  id: Uint8Array;
  l1: L1;
  nodeId: string;
  owner: Owner;
  weight: number;
  /** nAVAX at `since`. */
  balance: number;
  since: number;
  /** When it was registered. */
  began: number;
}

/** The life of L1 validators: registered with the conversion or later, weighed, topped up, switched off. */
export class L1Validators {
  private readonly active: L1Validator[] = [];
  private readonly disabled: L1Validator[] = [];
  private nodes = 0;

  constructor(
    private readonly ledger: Ledger,
    private readonly owners: Owners,
    private readonly random: Random,
  ) {}

  /** ConvertSubnetToL1Tx with its first three validators; false when the payer lacks the funds. */
  convert(l1: L1): boolean {
    const subnet = decodeCb58(l1.subnetId) as Uint8Array;
    const validators = [0, 1, 2].map((index) =>
      this.newValidator(l1, decodeCb58(firstValidationId(subnet, index)) as Uint8Array),
    );
    const balance = validators.reduce((sum, one) => sum + one.balance, 0);
    const done = this.burn('ConvertSubnetToL1Tx', balance, validators, (one) => one.balance, {
      subnetId: l1.subnetId,
      l1ValidatorManagerDetails: {
        blockchainId: l1.blockchainId,
        contractAddress: evmAddressOf(`${l1.chainName} validator manager`),
      },
    });
    if (done) this.active.push(...validators);
    return done;
  }

  register(l1: L1): void {
    const validator = this.newValidator(l1, hashOf(`registration ${this.nodes}`));
    const done = this.burn('RegisterL1ValidatorTx', validator.balance, [validator], () => validator.balance);
    if (done) this.active.push(validator);
  }

  setWeight(): void {
    const validator = this.random.pick(this.active);
    validator.weight = this.random.int(1, 400) * 100_000_000;
    this.payFee('SetL1ValidatorWeightTx', validator);
  }

  /** A weight of 0 removes a validator: what is left of its balance goes back to its owner. */
  remove(): void {
    const validator = this.takeOne();
    if (!validator) return;
    validator.weight = 0;
    this.giveBack('SetL1ValidatorWeightTx', validator);
  }

  increaseBalance(): void {
    const validator = this.random.pick(this.active);
    const increase = Number(nAvax(this.random.int(1, 8)));
    this.settle(validator);
    const after = { ...validator, balance: validator.balance + increase };
    if (this.burn('IncreaseL1ValidatorBalanceTx', increase, [after], () => increase))
      validator.balance = after.balance;
  }

  disable(): void {
    const validator = this.takeOne();
    if (!validator) return;
    this.giveBack('DisableL1ValidatorTx', validator);
    this.disabled.push({ ...validator, balance: 0 });
  }

  /** Those that were not removed, and what one has paid from the beginning of the sample on. */
  state(): Pick<StateRows, 'time' | 'accrued' | 'l1Validators' | 'feeDays'> {
    const { now } = this.ledger;
    const accrued = accruedAt(now);
    for (const one of this.active) this.settle(one);
    const all = [...this.active, ...this.disabled];
    return {
      time: now,
      accrued,
      l1Validators: all.map((one) => lineOf(one, accrued)),
      feeDays: feeDays(now),
    };
  }

  private newValidator(l1: L1, id: Uint8Array): L1Validator {
    return {
      id,
      l1,
      nodeId: nodeIdOf(`${l1.chainName} validator ${this.nodes++}`),
      owner: this.random.pick(this.owners.wallets),
      weight: this.random.int(10, 400) * 100_000_000,
      balance: Number(nAvax(this.random.int(5, 30))),
      since: this.ledger.now,
      began: this.ledger.now,
    };
  }

  private takeOne(): L1Validator | undefined {
    return this.active.splice(this.random.int(0, this.active.length - 1), 1)[0];
  }

  /** Takes what the validator has paid for the time gone by. */
  private settle(validator: L1Validator): void {
    const spent = FEE_PER_SECOND * (this.ledger.now - validator.since);
    validator.balance = Math.max(0, validator.balance - spent);
    validator.since = this.ledger.now;
  }

  private burn(
    txType: NamesWhere<'l1Balance', 'adds'>,
    balance: number,
    validators: readonly L1Validator[],
    change: (validator: L1Validator) => number,
    details = {},
  ): boolean {
    const payer = this.random.pick(this.owners.wallets);
    const funds = this.ledger.fund('p', payer, BigInt(balance) + baseFee);
    if (!funds) return false;
    this.ledger.transact('p', {
      txType,
      inputs: funds.inputs,
      outputs: funds.change,
      l1ValidatorBalance: BigInt(balance),
      details: {
        ...details,
        l1ValidatorDetails: validators.map((one) => detailsOf(one, change(one))),
        memo: '0x',
      },
    });
    return true;
  }

  private payFee(txType: NamesWhere<'changes', 'l1Validators'>, validator: L1Validator): void {
    const funds = this.ledger.fund('p', this.random.pick(this.owners.wallets), baseFee);
    if (!funds) return;
    this.settle(validator);
    this.ledger.transact('p', {
      txType,
      inputs: funds.inputs,
      outputs: funds.change,
      details: { l1ValidatorDetails: [detailsOf(validator, 0)], memo: '0x' },
    });
  }

  private giveBack(txType: NamesWhere<'l1Balance', 'returns'>, validator: L1Validator): void {
    const funds = this.ledger.fund('p', this.random.pick(this.owners.wallets), baseFee);
    if (!funds) return;
    this.settle(validator);
    const returned = validator.balance;
    const back = returned > 0 ? [{ owner: validator.owner, amount: BigInt(returned) }] : [];
    this.ledger.transact('p', {
      txType,
      inputs: funds.inputs,
      outputs: [...funds.change, ...back],
      broughtIn: BigInt(returned),
      details: {
        l1ValidatorDetails: [detailsOf({ ...validator, balance: 0 }, -returned)],
        memo: '0x',
      },
    });
  }
}

const accruedAt = (time: number) => BigInt(FEE_PER_SECOND * (time - firstSecond));

/** Those that are over at a time, from the one before the first on. */
function feeDays(now: number): StateRows['feeDays'] {
  const first = dayOf(firstSecond) - 1;
  return Array.from({ length: dayOf(now - 1) - first }, (_, index) => {
    const day = first + index;
    return { day, accrued: accruedAt((day + 1) * DAY_SECONDS) };
  });
}

function lineOf(
  { id, l1, nodeId, owner, weight, balance, since, began }: L1Validator,
  accrued: bigint,
): StateRows['l1Validators'][number] {
  const isActive = balance > 0;
  return {
    validationId: encodeCb58(id),
    subnetId: l1.subnetId,
    nodeId,
    weight: BigInt(weight),
    endFee: isActive ? accrued + BigInt(balance) : 0n,
    owner: storedOwnerOf(owner),
    activeSince: isActive ? since : null,
    paidDay: null,
    sinceFee: isActive ? accruedAt(began) : null,
  };
}

function detailsOf(validator: L1Validator, balanceChange: number): Details {
  return {
    validationId: encodeCb58(validator.id),
    validationIdHex: `0x${bytesToHex(validator.id)}`,
    nodeId: validator.nodeId,
    subnetId: validator.l1.subnetId,
    weight: validator.weight,
    remainingBalance: validator.balance,
    balanceChange,
    blsCredentials: blsCredentialsOf(validator.nodeId),
  };
}
