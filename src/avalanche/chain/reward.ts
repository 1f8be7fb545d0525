import { DAY_SECONDS } from '../seconds.js';
/*
 * What staking is paid (avalanchego vms/platformvm/reward; ACP-285): the longer a staker stakes and the
 * larger its part of the supply, the more of what may still be minted it gets. All in the node's integer
 * arithmetic.
 */

/** The rates of a network or of an elastic subnet, parts of a million, and the most that may ever exist. */
export interface RewardRates {
  /** For a stake of no time. */
  readonly min: bigint;
  /** For a stake of a year. */
  readonly max: bigint;
  readonly cap: bigint;
}

const MILLION = 1_000_000n;
/** Seconds. The node counts nanoseconds; both give the same, because it rounds only where it divides last. */
const DAY = BigInt(DAY_SECONDS);
const MINTING_PERIOD = 365n * DAY;
const UINT64_MAX = 2n ** 64n - 1n;

/** Of the primary network: no node tells them, and all public networks have these. */
const primaryRates: RewardRates = {
  min: 100_000n,
  max: 120_000n,
  cap: 720_000_000n * 1_000_000_000n,
};
/** ACP-285: from Helicon on the lower rate falls to this one, within 90 days. */
const HELICON_MIN_RATE = 75_000n;
const HELICON_FALL = 90n * DAY;

/**
 * The primary network's rates for a stake.
 *
 * @param start when it starts, Unix seconds
 * @param heliconTime when Helicon takes effect, Unix seconds; infinite when it is not scheduled
 */
export function primaryRewardRates(start: number, heliconTime: number): RewardRates {
  if (start < heliconTime) return primaryRates;
  const fall = primaryRates.min - HELICON_MIN_RATE;
  const elapsed = BigInt(start - heliconTime);
  const fallen = elapsed < HELICON_FALL ? (fall * elapsed) / HELICON_FALL : fall;
  return { ...primaryRates, min: primaryRates.min - fallen };
}

/**
 * What a staker gets if it is rewarded, in the unit of its asset.
 *
 * @param seconds that it stakes
 * @param supply of the asset before it starts, which its reward then joins
 */
export function potentialReward(
  { min, max, cap }: RewardRates,
  seconds: bigint,
  weight: bigint,
  supply: bigint,
): bigint {
  const rate = (max - min) * seconds + min * MINTING_PERIOD;
  // As in the node's type, which has no negative numbers.
  const left = BigInt.asUintN(64, cap - supply);
  const reward = (left * rate * weight * seconds) / (MINTING_PERIOD * MINTING_PERIOD * MILLION * supply);
  return reward < left ? reward : left;
}

/**
 * Divides a delegator's reward.
 *
 * @param shares the validator's, parts of a million
 */
export function splitReward(total: bigint, shares: number): { validator: bigint; delegator: bigint } {
  const rest = MILLION - BigInt(shares);
  const product = rest * total;
  // The node rounds earlier where the product does not fit 64 bits.
  const delegator = product <= UINT64_MAX ? product / MILLION : rest * (total / MILLION);
  return { validator: total - delegator, delegator };
}
