import type { RewardConfig } from '../avalanche/chain/reward.js';
import type { Priority } from '../avalanche/chain/staker-order.js';
import {
  amount,
  apart,
  boolean,
  int,
  json,
  jsonAs,
  long,
  moment,
  network,
  orNull,
  seconds,
  small,
  sum,
  text,
} from './column.js';
import type { StoredOwner } from './owner.js';
import { stateTable } from './table.js';

/*
 * The P-chain's state of stakers and L1 validators after the newest stored block. Times are Unix seconds, days are counted
 * from 1970, amounts of AVAX are nAVAX; comments that are not here are in schema.prisma.
 */

/** How far the state has come. */
export const stakingTable = stateTable('follow_staking', ['network'], {
  network,
  chainTime: seconds,
  knowsStakers: boolean,
  knowsL1Validators: boolean,
  excess: amount,
  accrued: amount,
  price: amount,
  difference: orNull(text),
  differentSince: orNull(long),
  // A comparison with a node writes them.
  checkedHeight: apart(orNull(long)),
  checkedAt: apart(orNull(moment)),
});

/** How a validator goes on after each period (ACP-236). */
export interface Renewal {
  /** Seconds of the next period; 0: it ends with this one. */
  readonly period: number;
  /** Part of a million of its rewards that it stakes too. */
  readonly shares: number;
  /** What it has staked of its rewards so far, and of its delegators'. */
  readonly accruedReward: bigint;
  readonly accruedDelegateeReward: bigint;
}

const renewal = jsonAs(
  ({ accruedReward, accruedDelegateeReward, ...own }: Digits<Renewal>): Renewal => ({
    ...own,
    accruedReward: BigInt(accruedReward),
    accruedDelegateeReward: BigInt(accruedDelegateeReward),
  }),
  ({ accruedReward, accruedDelegateeReward, ...own }) => ({
    ...own,
    accruedReward: accruedReward.toString(),
    accruedDelegateeReward: accruedDelegateeReward.toString(),
  }),
);

/** A staker that waits or stakes. */
export const stakerTable = stateTable('follow_staker', ['network', 'txId'], {
  network,
  txId: text,
  txType: text,
  subnetId: text,
  nodeId: text,
  priority: small<Priority>(),
  startTime: seconds,
  endTime: seconds,
  weight: amount,
  /** What it is paid if it is rewarded; 0 while it waits for its start, and for a permissioned one. */
  potentialReward: amount,
  /** What a validator has earned with its delegators and gets at its end. */
  delegateeReward: amount,
  /** A validator's share of its delegators' rewards, parts of a million. */
  shares: int,
  /** Who gets that share; null where there is none. */
  feeOwner: orNull(json<StoredOwner>()),
  /** Of a validator that begins again by itself; null for others. */
  renewal: orNull(renewal),
});

const rates = jsonAs(
  ({ min, max, cap }: { min: string; max: string; cap: string }): RewardConfig => ({
    minConsumptionRate: BigInt(min),
    maxConsumptionRate: BigInt(max),
    supplyCap: BigInt(cap),
  }),
  ({ minConsumptionRate, maxConsumptionRate, supplyCap }) => ({
    min: minConsumptionRate.toString(),
    max: maxConsumptionRate.toString(),
    cap: supplyCap.toString(),
  }),
);

/** What exists of the asset that a subnet stakes. */
export const supplyTable = stateTable('follow_supply', ['network', 'subnetId'], {
  network,
  subnetId: text,
  supply: amount,
  rates: orNull(rates),
});

/** An L1 validator as the P-chain's state has it. */
export const l1ValidatorTable = stateTable('follow_l1_validator', ['network', 'validationId'], {
  network,
  validationId: text,
  subnetId: text,
  nodeId: text,
  /** 0: removed. */
  weight: amount,
  /** The sum of fees since the beginning at which its balance is spent, nAVAX; 0: not active. */
  endFee: amount,
  /** Who gets what is left of its balance. */
  owner: json<StoredOwner>(),
  /** Since when it is active; null while it is not. */
  activeSince: orNull(seconds),
  /** The last day on which it paid before it was not active any longer; null for none. */
  paidDay: orNull(int),
});

/** What the L1 validators of a subnet have paid on the newest day. */
export const subnetFeeTable = stateTable('follow_subnet_fee', ['network', 'subnetId'], {
  network,
  subnetId: text,
  day: int,
  fees: sum,
  /** How many of them. */
  payers: int,
});

/** With its amounts as decimal digits. */
type Digits<T> = { readonly [Name in keyof T]: T[Name] extends bigint ? string : T[Name] };
