import { isDelegator, isPermissioned } from '../../avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import type { FeeStateAnswer, ValidatorAnswer } from '../node/state-answers.js';
import type { StakerSet } from './staker-set.js';
import type { StakingState } from './state.js';

/** The P-chain's present state as nodes say it, and as ours says it. */
export interface PresentState {
  /** By subnet; the primary network under its id. */
  readonly supplies: ReadonlyMap<string, bigint>;
  /** Null where it is not known. */
  readonly fee: FeeStateAnswer | null;
  /** By subnet; of ours without any where stakers or L1 validators are not known. */
  readonly validators: ReadonlyMap<string, readonly ValidatorAnswer[]>;
}

/** What our state says; nothing of what it does not know. */
export function presentState(state: StakingState): PresentState {
  const { time, stakers, l1 } = state;
  return {
    supplies: new Map([...(stakers?.supplies ?? [])].map(([subnetId, { supply }]) => [subnetId, supply])),
    fee: l1.isKnown ? { excess: l1.fee.excess, time } : null,
    validators: stakers && l1.isKnown ? validatorsOf(stakers.set, state) : new Map(),
  };
}

function validatorsOf(
  { staking }: StakerSet,
  { l1, l1Validators }: StakingState,
): Map<string, ValidatorAnswer[]> {
  const validators = new Map<string, ValidatorAnswer[]>([[ZERO_ID, []]]);
  const add = (subnetId: string, one: ValidatorAnswer) => {
    const known = validators.get(subnetId);
    if (known) known.push(one);
    else validators.set(subnetId, [one]);
  };
  for (const staker of staking) {
    const { txId: id, subnetId, nodeId, weight, priority } = staker;
    if (isDelegator(priority)) continue;
    const isPaid = !isPermissioned(priority);
    add(subnetId, {
      id,
      nodeId,
      weight,
      balance: null,
      uptime: null,
      potentialReward: isPaid ? staker.potentialReward : null,
      delegateeReward: isPaid ? staker.delegateeReward : null,
      delegatorWeight: isPaid ? staker.delegatedWeight : null,
    });
  }
  for (const { validationId: id, subnetId, nodeId, weight, endFee } of l1Validators.all) {
    const balance = endFee > 0n ? endFee - l1.fee.accrued : 0n;
    const nothing = { potentialReward: null, delegateeReward: null, delegatorWeight: null, uptime: null };
    add(subnetId, { id, nodeId, weight, ...nothing, balance });
  }
  return validators;
}

/** One way in which a node's state differs from ours. */
export interface StateDifference {
  /** For people. */
  readonly what: string;
  readonly node: string;
  readonly here: string;
}

/** How a node's state differs from ours, for people: the first difference with both values; null for none. */
export function stateDifference(ours: PresentState, theirs: PresentState): string | null {
  const { value } = stateDifferences(ours, theirs).next();
  return value ? `${value.what} is ${value.node} on the node, and ${value.here} here` : null;
}

/** How a node's state differs from ours. Values that one of them does not have are not compared. */
export function* stateDifferences(
  ours: PresentState,
  theirs: PresentState,
): Generator<StateDifference, undefined> {
  for (const [subnetId, supply] of ours.supplies) {
    const other = theirs.supplies.get(subnetId);
    if (other !== undefined && other !== supply)
      yield differs(`the supply of ${nameOf(subnetId)}`, other, supply);
  }
  const { fee } = theirs;
  if (ours.fee && fee && fee.time === ours.fee.time && fee.excess !== ours.fee.excess)
    yield differs('the excess of the fee of L1 validators', fee.excess, ours.fee.excess);
  for (const [subnetId, validators] of theirs.validators) {
    const known = new Map((ours.validators.get(subnetId) ?? []).map((one) => [one.id, one]));
    for (const one of validators) {
      yield* validatorDifferences(one, known.get(one.id), subnetId);
      known.delete(one.id);
    }
    for (const more of known.keys())
      yield differs(`validator ${more} of ${nameOf(subnetId)}`, 'no validator', 'a validator');
  }
}

function* validatorDifferences(
  theirs: ValidatorAnswer,
  ours: ValidatorAnswer | undefined,
  subnetId: string,
): Generator<StateDifference, undefined> {
  const name = `validator ${theirs.id} of ${nameOf(subnetId)}`;
  if (!ours) {
    yield differs(name, 'a validator', 'no validator');
    return;
  }
  for (const [what, read] of Object.entries(compared)) {
    const [other, own] = [read(theirs), read(ours)];
    if (other !== null && own !== null && other !== own) yield differs(`the ${what} of ${name}`, other, own);
  }
}

const compared: Readonly<Record<string, (one: ValidatorAnswer) => bigint | string | null>> = {
  node: ({ nodeId }) => nodeId,
  weight: ({ weight }) => weight,
  'potential reward': ({ potentialReward }) => potentialReward,
  'reward of its delegators': ({ delegateeReward }) => delegateeReward,
  'weight of its delegators': ({ delegatorWeight }) => delegatorWeight,
  balance: ({ balance }) => balance,
};

const nameOf = (subnetId: string) =>
  subnetId === ZERO_ID ? 'the primary network' : `the subnet ${subnetId}`;

const differs = (what: string, theirs: bigint | string, ours: bigint | string): StateDifference => ({
  what,
  node: String(theirs),
  here: String(ours),
});
