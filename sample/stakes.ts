import { priorities } from '../src/avalanche/chain/staker-order.js';
import { ZERO_ID } from '../src/avalanche/codec/ids.js';
import type { Held, Settled } from './ledger.js';
import type { OutputDraft } from './outputs.js';
import type { Owner } from './owners.js';
import type { StakerRow } from '../src/state/staking.js';
import { storedOwnerOf } from './state.js';

/** Shares are parts of a million. */
const SHARES_PER_CENT = 10_000;

/** A stake that runs. */
export interface Stake {
  settled: Settled;
  staked: Held[];
  start: number;
  end: number;
  rewardOwner: Owner;
  reward: bigint;
  /** The validator's own stake, for a delegation. */
  validator?: Validator;
}

/** The stake of a validator, with what delegators need to know. */
export interface Validator extends Stake {
  nodeId: string;
  feePercent: bigint;
  /** What delegators owe it, paid out with its own reward. */
  fees: bigint;
}

export function isValidator(stake: Stake | Validator): stake is Validator {
  return 'nodeId' in stake;
}

/** What a delegation owes its validator, in nAVAX. */
export function feeOf(stake: Stake): bigint {
  return stake.validator ? (stake.reward * stake.validator.feePercent) / 100n : 0n;
}

/** The stake as the P-chain's state has it. */
export function stakerOf(stake: Stake | Validator): StakerRow {
  const { row } = stake.settled;
  const own = isValidator(stake)
    ? {
        nodeId: stake.nodeId,
        priority: priorities.validator,
        delegateeReward: stake.fees,
        shares: Number(stake.feePercent) * SHARES_PER_CENT,
        feeOwner: storedOwnerOf(stake.rewardOwner),
      }
    : {
        nodeId: row.nodeId ?? '',
        priority: priorities.delegator,
        delegateeReward: 0n,
        shares: 0,
        feeOwner: null,
      };
  return {
    ...own,
    txId: row.txHash,
    txType: row.txType,
    subnetId: ZERO_ID,
    startTime: stake.start,
    endTime: stake.end,
    weight: stake.staked.reduce((sum, { amount }) => sum + amount, 0n),
    potentialReward: stake.reward,
    renewal: null,
  };
}

/** The outputs that end a stake. */
export function rewards(stake: Stake | Validator): OutputDraft[] {
  const owner = stake.rewardOwner;
  if (!isValidator(stake)) return [{ owner, amount: stake.reward - feeOf(stake), rewardType: 'DELEGATOR' }];
  const own: OutputDraft = { owner, amount: stake.reward, rewardType: 'VALIDATOR' };
  return stake.fees > 0n ? [own, { owner, amount: stake.fees, rewardType: 'VALIDATOR_FEE' }] : [own];
}
