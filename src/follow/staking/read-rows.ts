import type { Priority } from '../../avalanche/chain/staker-order.js';
import type { Statement } from '../../storage/statement.js';
import type { L1Validator } from './l1-validators.js';
import type { Difference } from './machine.js';
import { idHexOf, isWaiting, type Staker } from './staker.js';
import type { StoredOwner } from './stored-owner.js';
import type { Supply } from './stakers.js';
import type { StoredState } from './state.js';
import type { SubnetDay } from './subnet-fees.js';

const reads = (name: string, text: string): Statement => ({
  name: `follow.${name}`,
  text: `SELECT ${text} AND network = $1::network`,
});

/** What is read at the start. Whole numbers come as texts. */
export const statements = {
  clock: reads(
    'staking',
    `chain_time::text AS time, knows_stakers AS "knowsStakers", knows_l1_validators AS "knowsL1Validators",
      excess::text, accrued::text, difference, different_since::text AS since FROM follow_staking WHERE true`,
  ),
  stakers: reads(
    'stakers',
    `tx_id AS "txId", tx_type AS "txType", subnet_id AS "subnetId", node_id AS "nodeId", priority,
      start_time::text AS start, end_time::text AS end, weight::text, potential_reward::text AS "potentialReward",
      delegatee_reward::text AS "delegateeReward", shares, fee_owner AS "feeOwner", renewal
      FROM follow_staker WHERE true`,
  ),
  supplies: reads('supplies', 'subnet_id AS "subnetId", supply::text, rates FROM follow_supply WHERE true'),
  l1Validators: reads(
    'l1-validators',
    `validation_id AS "validationId", subnet_id AS "subnetId", node_id AS "nodeId", weight::text,
      end_fee::text AS "endFee", owner, active_since::text AS "activeSince", paid_day AS "paidDay"
      FROM follow_l1_validator WHERE weight > 0`,
  ),
  fees: reads(
    'subnet-fees',
    'subnet_id AS "subnetId", day, fees::text, payers FROM follow_subnet_fee WHERE day = $2::int',
  ),
};

type Texts<T, Keys extends keyof T> = Omit<T, Keys> & Record<Keys, string>;

export interface ClockRow {
  readonly time: string;
  readonly knowsStakers: boolean;
  readonly knowsL1Validators: boolean;
  readonly excess: string;
  readonly accrued: string;
  readonly difference: string | null;
  readonly since: string | null;
}

export function clockFrom({ time, excess, accrued, difference, since, ...known }: ClockRow): Pick<
  StoredState,
  'time' | 'knowsStakers' | 'knowsL1Validators' | 'fee'
> & {
  difference: Difference | null;
} {
  return {
    ...known,
    time: Number(time),
    fee: { excess: BigInt(excess), accrued: BigInt(accrued) },
    difference: difference === null ? null : { text: difference, height: BigInt(since ?? 0) },
  };
}

export type StakerRow = Texts<
  Omit<Staker, 'idHex' | 'nextTime' | 'priority' | 'renewal'>,
  'start' | 'end' | 'weight' | 'potentialReward' | 'delegateeReward'
> & {
  readonly priority: number;
  readonly renewal:
    | (Omit<NonNullable<Staker['renewal']>, 'accruedReward' | 'accruedDelegateeReward'> & {
        readonly accruedReward: string;
        readonly accruedDelegateeReward: string;
      })
    | null;
};

export function stakerFrom(row: StakerRow): Staker {
  const { renewal } = row;
  const staker = {
    ...row,
    idHex: idHexOf(row.txId),
    priority: row.priority as Priority,
    start: Number(row.start),
    end: Number(row.end),
    nextTime: 0,
    weight: BigInt(row.weight),
    potentialReward: BigInt(row.potentialReward),
    delegateeReward: BigInt(row.delegateeReward),
    renewal: renewal && {
      ...renewal,
      accruedReward: BigInt(renewal.accruedReward),
      accruedDelegateeReward: BigInt(renewal.accruedDelegateeReward),
    },
  };
  return { ...staker, nextTime: isWaiting(staker) ? staker.start : staker.end };
}

export interface SupplyRow {
  readonly subnetId: string;
  readonly supply: string;
  readonly rates: { readonly min: string; readonly max: string; readonly cap: string } | null;
}

export const supplyFrom = ({ subnetId, supply, rates }: SupplyRow): [string, Supply] => [
  subnetId,
  {
    supply: BigInt(supply),
    config: rates && {
      minConsumptionRate: BigInt(rates.min),
      maxConsumptionRate: BigInt(rates.max),
      supplyCap: BigInt(rates.cap),
    },
  },
];

export type L1ValidatorRow = Texts<Omit<L1Validator, 'activeSince' | 'owner'>, 'weight' | 'endFee'> & {
  readonly owner: StoredOwner;
  readonly activeSince: string | null;
};

export const l1ValidatorFrom = (row: L1ValidatorRow): L1Validator => ({
  ...row,
  weight: BigInt(row.weight),
  endFee: BigInt(row.endFee),
  activeSince: row.activeSince === null ? null : Number(row.activeSince),
});

export type SubnetDayRow = Texts<SubnetDay, 'fees'>;

export const subnetDayFrom = (row: SubnetDayRow): SubnetDay => ({ ...row, fees: BigInt(row.fees) });
