import { decodeCb58 } from '../../avalanche/cb58.js';
import { splitReward } from '../../avalanche/chain/reward.js';
import { isDelegator, isPending, priorities, startedPriority } from '../../avalanche/chain/staker-order.js';
import type { Ordered, Priority } from '../../avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import type { OutputOwners, PTransaction } from '../../avalanche/codec/types.js';
import { storedOwner } from '../../state/owner.js';
import { noDelegators } from '../../state/delegations.js';
import type { stakerTable } from '../../state/staking.js';
import type { RowOf } from '../../state/table.js';

/** A staker of the primary network or a subnet, as the P-chain's state has it. Times are Unix seconds. */
export interface Staker extends Ordered, Omit<RowOf<typeof stakerTable>, 'startTime' | 'endTime'> {
  readonly start: number;
  readonly end: number;
}

export type StakingTransaction = Extract<PTransaction, { validator: unknown }>;
export type RenewedTransaction = Extract<PTransaction, { type: 'AddAutoRenewedValidatorTx' }>;

/**
 * Seconds of a transaction, which may have any 64 bits: no node accepts a stake that is so long, and a number
 * is never too large.
 */
const secondsOf = (said: bigint): number => Math.min(Number(said), Number.MAX_SAFE_INTEGER);

/** A staker that waits for the start that its transaction names. */
export function waitingStaker(transaction: StakingTransaction): Staker {
  const { validator, subnetId } = transaction;
  const start = secondsOf(validator.start);
  return {
    txId: transaction.id,
    txType: transaction.type,
    idHex: idHexOf(transaction.id),
    subnetId,
    nodeId: validator.nodeId,
    priority: waitingPriority(transaction),
    nextTime: start,
    start,
    end: secondsOf(validator.end),
    weight: validator.weight,
    potentialReward: 0n,
    delegateeReward: 0n,
    ...feeOf(transaction),
    renewal: null,
    ...noDelegators,
  };
}

/** A staker that begins again by itself, at its start. */
export function renewedStaker(transaction: RenewedTransaction, start: number): Staker {
  const period = secondsOf(transaction.period);
  return {
    txId: transaction.id,
    txType: transaction.type,
    idHex: idHexOf(transaction.id),
    subnetId: ZERO_ID,
    nodeId: transaction.nodeId,
    priority: priorities.pendingValidator,
    nextTime: start,
    start,
    end: secondsOf(BigInt(start) + transaction.period),
    weight: transaction.weight,
    potentialReward: 0n,
    delegateeReward: 0n,
    shares: transaction.delegationShares,
    feeOwner: storedOwner(transaction.delegatorRewardsOwner),
    renewal: {
      period,
      shares: transaction.autoCompoundRewardShares,
      accruedReward: 0n,
      accruedDelegateeReward: 0n,
    },
    ...noDelegators,
  };
}

/** The staker once it has started. */
export const started = (staker: Staker, potentialReward: bigint): Staker => ({
  ...staker,
  priority: startedPriority(staker.priority),
  nextTime: staker.end,
  potentialReward,
});

/** A validator once a delegator has started (by 1), or ended (by -1). */
export const withDelegator = (validator: Staker, { weight, potentialReward }: Staker, by: 1 | -1): Staker => {
  const reward = splitReward(potentialReward, validator.shares).validator;
  return {
    ...validator,
    delegatedWeight: validator.delegatedWeight + BigInt(by) * weight,
    delegators: validator.delegators + by,
    delegatedReward: validator.delegatedReward + BigInt(by) * reward,
  };
};

/** Stakers of which each validator that stakes has what its delegators add. */
export function withDelegations(stakers: readonly Staker[]): Staker[] {
  const ofValidators = new Map<string, Staker[]>();
  for (const delegator of stakers) {
    if (!isDelegator(delegator.priority) || isPending(delegator.priority)) continue;
    const validator = `${delegator.subnetId} ${delegator.nodeId}`;
    const others = ofValidators.get(validator);
    if (others) others.push(delegator);
    else ofValidators.set(validator, [delegator]);
  }
  return stakers.map((staker) => {
    if (isDelegator(staker.priority) || isPending(staker.priority)) return staker;
    const delegators = ofValidators.get(`${staker.subnetId} ${staker.nodeId}`) ?? [];
    return delegators.reduce((validator, each) => withDelegator(validator, each, 1), {
      ...staker,
      ...noDelegators,
    });
  });
}

export const isWaiting = ({ priority }: Staker): boolean => isPending(priority);

export function idHexOf(id: string): string {
  return Buffer.from(decodeCb58(id) ?? new Uint8Array(0)).toString('hex');
}

function waitingPriority({ type, subnetId }: StakingTransaction): Priority {
  const isPrimary = subnetId === ZERO_ID;
  switch (type) {
    case 'AddValidatorTx':
      return priorities.pendingValidator;
    case 'AddDelegatorTx':
      return priorities.pendingOldDelegator;
    case 'AddSubnetValidatorTx':
      return priorities.pendingPermissioned;
    case 'AddPermissionlessValidatorTx':
      return isPrimary ? priorities.pendingValidator : priorities.pendingSubnetValidator;
    case 'AddPermissionlessDelegatorTx':
      return isPrimary ? priorities.pendingDelegator : priorities.pendingSubnetDelegator;
  }
}

function feeOf(transaction: StakingTransaction): Pick<Staker, 'shares' | 'feeOwner'> {
  if (!('delegationShares' in transaction)) return { shares: 0, feeOwner: null };
  const owner: OutputOwners =
    transaction.type === 'AddValidatorTx' ? transaction.rewardsOwner : transaction.delegatorRewardsOwner;
  return { shares: transaction.delegationShares, feeOwner: storedOwner(owner) };
}
