import type { Network } from '../../avalanche/networks.js';
import type { CopyValue } from '../../storage/copy.js';
import type { L1Validator } from './l1-validators.js';
import type { Difference } from './machine.js';
import type { Renewal, Staker } from './staker.js';
import type { Supply } from './stakers.js';
import type { StakingState } from './state.js';
import type { SubnetDay } from './subnet-fees.js';

type Row = readonly CopyValue[];

/** Values in the order of the columns in tables.ts. */
export function clockRow(network: Network, state: StakingState, difference: Difference | null): Row {
  const { time, stakers, l1 } = state;
  return [
    network,
    time,
    stakers !== null,
    l1.isKnown,
    l1.fee.excess,
    l1.fee.accrued,
    l1.price,
    difference?.text ?? null,
    difference?.height ?? null,
  ];
}

export const stakerRow = (network: Network, one: Staker): Row => [
  network,
  one.txId,
  one.txType,
  one.subnetId,
  one.nodeId,
  one.priority,
  one.start,
  one.end,
  one.weight,
  one.potentialReward,
  one.delegateeReward,
  one.shares,
  one.feeOwner && JSON.stringify(one.feeOwner),
  one.renewal && JSON.stringify(printed(one.renewal)),
];

export const supplyRow = (network: Network, subnetId: string, { supply, config }: Supply): Row => [
  network,
  subnetId,
  supply,
  config &&
    JSON.stringify({
      min: config.minConsumptionRate.toString(),
      max: config.maxConsumptionRate.toString(),
      cap: config.supplyCap.toString(),
    }),
];

export const l1ValidatorRow = (network: Network, one: L1Validator): Row => [
  network,
  one.validationId,
  one.subnetId,
  one.nodeId,
  one.weight,
  one.endFee,
  JSON.stringify(one.owner),
  one.activeSince,
  one.paidDay,
];

export const subnetDayRow = (network: Network, { subnetId, day, fees, payers }: SubnetDay): Row => [
  network,
  subnetId,
  day,
  fees,
  payers,
];

/** Amounts may not fit in JSON's numbers. */
const printed = ({ accruedReward, accruedDelegateeReward, ...terms }: Renewal) => ({
  ...terms,
  accruedReward: accruedReward.toString(),
  accruedDelegateeReward: accruedDelegateeReward.toString(),
});
