import type { RewardRates } from '../avalanche/chain/reward.js';
import type { Priority } from '../avalanche/chain/staker-order.js';
import * as column from './column.js';
import type { StoredOwner } from './owner.js';
import { stateTable, type RowOf } from './table.js';

/*
 * The P-chain's state of stakers and L1 validators after the newest stored block. Times are Unix seconds,
 * days are counted from 1970, amounts of AVAX are nAVAX; comments that are not here are in schema.prisma.
 */

/** How far the state has come. */
export const stakingTable = stateTable('follow_staking', ['network'], {
  network: column.network,
  chainTime: column.seconds,
  knowsStakers: column.boolean,
  knowsL1Validators: column.boolean,
  excess: column.amount,
  accrued: column.amount,
  price: column.amount,
  difference: column.orNull(column.text),
  differentSince: column.orNull(column.long),
  // A comparison with a node writes them.
  checkedHeight: column.apart(column.orNull(column.long)),
  checkedAt: column.apart(column.orNull(column.moment)),
  doubt: column.orNull(column.text),
  doubtedSince: column.orNull(column.long),
  withheldSince: column.orNull(column.long),
  doubtedRewards: column.json<readonly string[]>(),
  isLeftOut: column.boolean,
});

/** How a validator continues after each period (ACP-236). */
export interface Renewal {
  /** Seconds of the next period; 0: it ends with this one. */
  readonly period: number;
  /** Part of a million of its rewards that it stakes too. */
  readonly shares: number;
  /** What it has staked of its rewards so far, and of its delegators'. */
  readonly accruedReward: bigint;
  readonly accruedDelegateeReward: bigint;
}

/** A staker that waits or stakes. */
export const stakerTable = stateTable('follow_staker', ['network', 'txId'], {
  network: column.network,
  txId: column.text,
  txType: column.text,
  subnetId: column.text,
  nodeId: column.text,
  priority: column.small<Priority>(),
  startTime: column.seconds,
  endTime: column.seconds,
  weight: column.amount,
  /** What it is paid if it is rewarded; 0 while it waits for its start, and for a permissioned one. */
  potentialReward: column.amount,
  /** What a validator has earned with its delegators and gets at its end. */
  delegateeReward: column.amount,
  /** A validator's share of its delegators' rewards, parts of a million. */
  shares: column.int,
  /** Who gets that share; null where there is none. */
  feeOwner: column.orNull(column.json<StoredOwner>()),
  /** Of a validator that begins again by itself; null for others. */
  renewal: column.orNull(column.json<Renewal>('accruedReward', 'accruedDelegateeReward')),
  /** What stakes with a validator now, and by how many delegators; 0 for others. */
  delegatedWeight: column.amount,
  delegators: column.int,
  /** What it gets of their rewards if they are rewarded. */
  delegatedReward: column.amount,
  /** Of a validator: how much of its period the followed node has seen it online, percent. */
  uptime: column.apart(column.orNull(column.plain('numeric(7,4)'))),
  // The database numbers the rows.
  id: column.apart(column.long),
});

/** Sums over the stakers of a subnet, which follow from them. */
export const stakeTotalTable = stateTable('follow_stake_total', ['network', 'subnetId'], {
  network: column.network,
  subnetId: column.text,
  /** Validators that stake, and those that wait for their start. */
  validators: column.int,
  waiting: column.int,
  /** Delegations that have started. */
  delegators: column.int,
  /** Of validators that stake, with their delegators. */
  weight: column.amount,
  delegatedWeight: column.amount,
  /** What all that stake are paid if they are rewarded. */
  potentialReward: column.amount,
});

/** What exists of the asset that a subnet stakes. */
export const supplyTable = stateTable('follow_supply', ['network', 'subnetId'], {
  network: column.network,
  subnetId: column.text,
  supply: column.amount,
  /** Of an elastic subnet; null of the primary network, whose rates are the protocol's. */
  rates: column.orNull(column.json<RewardRates>('min', 'max', 'cap')),
});

/** What a subnet's rewards depend on. */
export type Supply = Omit<RowOf<typeof supplyTable>, 'subnetId'>;

/** An L1 validator as the P-chain's state has it. */
export const l1ValidatorTable = stateTable('follow_l1_validator', ['network', 'validationId'], {
  network: column.network,
  validationId: column.text,
  subnetId: column.text,
  nodeId: column.text,
  /** 0: removed. */
  weight: column.amount,
  /** The sum of fees since the beginning at which its balance is spent, nAVAX; 0: not active. */
  endFee: column.amount,
  /** Who gets what is left of its balance. */
  owner: column.json<StoredOwner>(),
  /** Since when it is active; null while it is not. */
  activeSince: column.orNull(column.seconds),
  /** The last day on which it paid before it was not active any longer; null for none. */
  paidDay: column.orNull(column.int),
  /** The sum of fees since the beginning when it became active, nAVAX; null while it is not. */
  sinceFee: column.orNull(column.amount),
});

/**
 * What an L1 validator paid until it was not active any longer: the difference of two sums of fees since the
 * beginning, nAVAX. What one that is active pays is in its own row.
 */
export const paidFeeTable = stateTable('follow_paid_fee', ['network', 'validationId', 'sinceFee'], {
  network: column.network,
  validationId: column.text,
  sinceFee: column.amount,
  untilFee: column.amount,
});

/**
 * The sum of fees of one L1 validator since the beginning at the end of a day, nAVAX; of the day that still
 * runs it is the state's.
 */
export const feeDayTable = stateTable('follow_fee_day', ['network', 'day'], {
  network: column.network,
  day: column.int,
  accrued: column.amount,
});

/** What the L1 validators of a subnet have paid on the newest day. */
export const subnetFeeTable = stateTable('follow_subnet_fee', ['network', 'subnetId'], {
  network: column.network,
  subnetId: column.text,
  day: column.int,
  fees: column.sum,
  /** How many of them. */
  payers: column.int,
});

/** A staker without what its delegators add to it, which follows from them. */
export type StakerRow = Omit<RowOf<typeof stakerTable>, 'delegatedWeight' | 'delegators' | 'delegatedReward'>;

/** Who stakes and who validates L1s after a block. */
export interface StateRows {
  /** When that block was made, Unix seconds. */
  readonly time: number;
  /** The sum of what one L1 validator has paid until then, nAVAX. */
  readonly accrued: bigint;
  readonly stakers: readonly StakerRow[];
  readonly l1Validators: readonly RowOf<typeof l1ValidatorTable>[];
  readonly feeDays: readonly RowOf<typeof feeDayTable>[];
  readonly supplies: readonly RowOf<typeof supplyTable>[];
}
