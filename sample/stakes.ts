import type { Held, Settled } from './ledger.js';
import type { OutputDraft } from './outputs.js';
import type { Owner } from './owners.js';

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

/** The outputs that end a stake. */
export function rewards(stake: Stake | Validator): OutputDraft[] {
  const owner = stake.rewardOwner;
  if (!isValidator(stake)) return [{ owner, amount: stake.reward - feeOf(stake), rewardType: 'DELEGATOR' }];
  const own: OutputDraft = { owner, amount: stake.reward, rewardType: 'VALIDATOR' };
  return stake.fees > 0n ? [own, { owner, amount: stake.fees, rewardType: 'VALIDATOR_FEE' }] : [own];
}
