import { potentialReward, primaryRewardRates, splitReward } from '../../avalanche/chain/reward.js';
import { isDelegator, isPermissioned } from '../../avalanche/chain/staker-order.js';
import { isOfType } from '../../avalanche/chain/transactions.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import type { Genesis, PTransaction } from '../../avalanche/codec/types.js';
import type { Supply } from '../../state/staking.js';
import { autoRenewed } from './auto-renewed.js';
import type { Changes } from './changes.js';
import { Disagreement } from './disagreement.js';
import { payValidator, type Ended, type Paid } from './ended.js';
import type { StakerSet } from './staker-set.js';
import { renewedStaker, started, waitingStaker, withDelegator } from './staker.js';
import type { Staker, StakingTransaction } from './staker.js';

/** When forks take effect that change what stakers are paid, Unix seconds. */
export interface StakingForks {
  /** From when a validator that starts gets its share of its delegators' rewards at its own end. */
  readonly cortinaTime: number;
  /** From when a staker starts when its transaction is accepted. */
  readonly durangoTime: number;
  /** From when rates fall (ACP-285). */
  readonly heliconTime: number;
}

/**
 * Stakers of the primary network and of subnets that are no L1s, with what exists of each subnet's asset: who
 * waits, who stakes, what each is paid (avalanchego vms/platformvm/txs/executor).
 */
export class Stakers {
  constructor(
    private readonly forks: StakingForks,
    readonly set: StakerSet,
    readonly supplies: Map<string, Supply>,
    private readonly changes: Changes,
    /** Is called with what does not fit, if the state can still follow the chain. */
    private readonly differ: (text: string) => void,
  ) {}

  /** The state of genesis: its validators start in their order. @returns them */
  begin({ validators, initialSupply }: Genesis): Staker[] {
    this.setSupply(ZERO_ID, { supply: initialSupply, rates: null });
    return validators.map((transaction) => this.start(waitingStaker(transaction as StakingTransaction)));
  }

  /**
   * The time moves. Stakers whose start has come begin in order, each with the supply that the ones before
   * have left. Permissioned stakers whose time is over leave.
   *
   * @returns those that have started
   */
  advance(time: number): Staker[] {
    const waiting = this.set.waiting;
    const last = waiting.findIndex(({ start }) => start > time);
    const now = waiting.slice(0, last === -1 ? waiting.length : last);
    const all = now.map((staker) => this.start(staker));
    for (;;) {
      const [first] = this.set.staking;
      if (!first || first.end > time || !isPermissioned(first.priority)) break;
      this.remove(first);
    }
    return all;
  }

  /**
   * Applies an accepted transaction.
   *
   * @param time of the chain
   * @returns the staker that it made and that has started; null where there is none
   * @throws Disagreement
   */
  apply(transaction: PTransaction, time: number): Staker | null {
    if (!isOfType(transaction, 'changes', 'stakers')) return null;
    if ('validator' in transaction) return this.add(waitingStaker(transaction), time);
    switch (transaction.type) {
      case 'AddAutoRenewedValidatorTx':
        return this.add(renewedStaker(transaction, time), time);
      case 'SetAutoRenewedValidatorConfigTx': {
        const staker = this.known(transaction.stakingTxId);
        const { period, autoCompoundRewardShares: shares } = transaction;
        if (staker.renewal === null)
          throw new Disagreement(`the renewal of ${staker.txId} is changed, but it does not renew by itself`);
        this.put({ ...staker, renewal: { ...staker.renewal, period: Number(period), shares } });
        return null;
      }
      case 'TransformSubnetTx': {
        const { initialSupply: supply, maximumSupply: cap, ...more } = transaction.transformation;
        const rates = { min: more.minConsumptionRate, max: more.maxConsumptionRate, cap };
        this.setSupply(transaction.subnetId, { supply, rates });
        return null;
      }
      case 'RemoveSubnetValidatorTx': {
        const { subnetId, nodeId } = transaction;
        const staker = this.set.validator(subnetId, nodeId);
        if (!staker)
          throw new Disagreement(`${nodeId} is removed from ${subnetId}, but is not one of its validators`);
        this.remove(staker);
        return null;
      }
    }
  }

  /**
   * The period of a staker ends: the first in the order, whose time it is.
   *
   * @throws Disagreement for one that is not there
   */
  end(txId: string, isRewarded: boolean, time: number): Ended {
    const staker = this.known(txId);
    const [first] = this.set.staking;
    if (first?.txId !== txId) this.differ(`${txId} ends, and ${first?.txId} comes before it`);
    if (staker.end !== time) this.differ(`${txId} ends at ${time}, and stakes until ${staker.end}`);
    if (!isRewarded) this.mint(staker.subnetId, -staker.potentialReward);
    if (staker.renewal !== null) return this.endRenewed(staker, isRewarded);
    const paid = this.pay(staker, isRewarded);
    this.remove(staker);
    this.countDelegator(staker, -1);
    return { staker, ...paid, goesOn: null };
  }

  private endRenewed(staker: Staker, isRewarded: boolean): Ended {
    const { pay, next } = autoRenewed(staker, isRewarded);
    this.remove(staker);
    return { staker, pay, feeOwner: staker.feeOwner, goesOn: next && this.start(next) };
  }

  private pay(staker: Staker, isRewarded: boolean): Paid {
    if (!isDelegator(staker.priority)) return payValidator(staker, isRewarded);
    const validator = this.set.validator(staker.subnetId, staker.nodeId);
    if (!validator) {
      this.differ(`${staker.txId} delegates to ${staker.nodeId}, which does not validate`);
      return payValidator(staker, isRewarded);
    }
    const { feeOwner } = validator;
    if (!isRewarded) return { pay: { own: 0n, fee: 0n }, feeOwner };
    const { delegator: own, validator: fee } = splitReward(staker.potentialReward, validator.shares);
    // A validator that started earlier gets it at once.
    if (validator.start < this.forks.cortinaTime) return { pay: { own, fee }, feeOwner };
    if (fee > 0n) this.put({ ...validator, delegateeReward: validator.delegateeReward + fee });
    return { pay: { own, fee: 0n }, feeOwner };
  }

  private add(staker: Staker, time: number): Staker | null {
    if (time >= this.forks.durangoTime) return this.start({ ...staker, start: time });
    this.put(staker);
    return null;
  }

  private start(staker: Staker): Staker {
    const reward = isPermissioned(staker.priority) ? 0n : this.rewardOf(staker);
    this.mint(staker.subnetId, reward);
    const now = started(staker, reward);
    this.put(now);
    this.countDelegator(now, 1);
    return now;
  }

  private countDelegator(staker: Staker, by: 1 | -1): void {
    const validator = isDelegator(staker.priority) && this.set.validator(staker.subnetId, staker.nodeId);
    if (validator) this.put(withDelegator(validator, staker, by));
  }

  private rewardOf({ subnetId, start, end, weight }: Staker): bigint {
    const known = this.supplies.get(subnetId);
    if (!known) {
      this.differ(`${subnetId} has stakers, and no asset for their rewards`);
      return 0n;
    }
    const rates = known.rates ?? primaryRewardRates(start, this.forks.heliconTime);
    return potentialReward(rates, BigInt(end - start), weight, known.supply);
  }

  private mint(subnetId: string, amount: bigint): void {
    const known = this.supplies.get(subnetId);
    if (known && amount !== 0n) this.setSupply(subnetId, { ...known, supply: known.supply + amount });
  }

  private known(txId: string): Staker {
    const staker = this.set.get(txId);
    if (!staker) throw new Disagreement(`the stake ${txId} is ended or changed, but does not exist`);
    return staker;
  }

  private setSupply(subnetId: string, supply: Supply): void {
    this.supplies.set(subnetId, supply);
    this.changes.supplies.add(subnetId);
  }

  private put(staker: Staker): void {
    this.set.put(staker);
    this.changes.stakers.add(staker.txId);
  }

  private remove({ txId }: Staker): void {
    this.set.remove(txId);
    this.changes.stakers.add(txId);
  }
}
