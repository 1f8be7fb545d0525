import type { AddressStakesQuery } from './generated/others/graphql.js';

type Stake = NonNullable<AddressStakesQuery['address']>['pendingRewards']['nodes'][number];

/** All of a reward: the chain has fees in millionths of it. */
const WHOLE = 1_000_000n;

/** What those who are paid for a stake get at its end if it is rewarded, nAVAX. */
export interface Earned {
  amount: bigint;
  /** False if it is that of a delegator whose validator keeps a share that is not known. */
  isAfterFee: boolean;
}

/** @returns undefined while the stake waits for its start */
export function earnedBy(stake: Stake): Earned | undefined {
  const { isDelegation, potentialReward, delegateeReward } = stake;
  if (potentialReward === null) return undefined;
  // What a validator has earned with its delegators so far is paid with its own.
  if (!isDelegation) return { amount: BigInt(potentialReward) + BigInt(delegateeReward), isAfterFee: true };
  const fee = feeOf(stake);
  if (fee === undefined) return { amount: BigInt(potentialReward), isAfterFee: false };
  return { amount: (BigInt(potentialReward) * (WHOLE - fee)) / WHOLE, isAfterFee: true };
}

/** What the amount of a stake does not say by itself. */
export function remarksOf(stake: Stake): string[] {
  const others = stake.rewardAddresses.length - 1;
  const type = stake.transaction?.chainTxType;
  const remarks: string[] = [];
  if (earnedBy(stake)?.isAfterFee === false) remarks.push('before the fee');
  if (others > 0) remarks.push(`with ${others === 1 ? 'another address' : `${others} other addresses`}`);
  // Of both owners the addresses are one list.
  if (others > 0 && !stake.isDelegation && type !== 'AddValidatorTx')
    remarks.push('one may get only the fees of delegators');
  if (beginsAgain(stake)) remarks.push('part of it may join the stake');
  return remarks;
}

/** Whether it begins again by itself (ACP-236), when its validator keeps a share of the rewards in it. */
export const beginsAgain = ({ transaction }: Stake) =>
  transaction?.chainTxType === 'AddAutoRenewedValidatorTx';

/** The share that the validator keeps, in millionths: that of its own stake, which lasts at least as long. */
function feeOf({ validator, startTimestamp, endTimestamp }: Stake): bigint | undefined {
  const around = validator?.stakingPeriods.nodes.find(
    (period) =>
      period.delegationFeePercent &&
      Number(period.startTimestamp) <= Number(startTimestamp) &&
      Number(period.endTimestamp) >= Number(endTimestamp),
  );
  // Percent with at most four digits below the point.
  return around?.delegationFeePercent
    ? BigInt(Math.round(Number(around.delegationFeePercent) * 10_000))
    : undefined;
}
