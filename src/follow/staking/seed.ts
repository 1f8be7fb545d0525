import type { RewardRates } from '../../avalanche/chain/reward.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import type { PTransaction } from '../../avalanche/codec/types.js';
import type { PlatformApi, CallOptions } from '../node/apis.js';
import type { StakerAnswer } from '../node/staker-answers.js';
import { ofSubnet } from '../node/state-answers.js';
import type { L1Validator } from './l1-validators.js';
import { isAt } from './node-state.js';
import { started, waitingStaker, withDelegations, type Staker } from './staker.js';
import type { Supply } from '../../state/staking.js';
import type { StoredState } from './state.js';
import { storedOwner } from '../../state/owner.js';

/** Nodes whose delegators are asked for together. */
const NODES_A_CALL = 50;

export interface SeedDeps {
  readonly platform: PlatformApi;
  /** A transaction of the P-chain, proved by its id. */
  readonly transaction: (id: string) => Promise<PTransaction>;
  /** From when no staker waits for its start, Unix seconds. */
  readonly durangoTime: number;
  readonly options: CallOptions;
}

/** The state cannot be taken from a node: why, for people. */
export class NoSeed extends Error {
  override readonly name = 'NoSeed';
}

/**
 * The time of the P-chain and the excess of the fee of L1 validators, as a node says them now.
 *
 * @throws NodeError; NoSeed where no node says a state completely yet
 */
export async function seedClock(
  platform: PlatformApi,
  durangoTime: number,
  options: CallOptions,
): Promise<{ readonly time: number; readonly excess: bigint }> {
  const time = await platform.timestamp(options);
  if (time < durangoTime)
    throw new NoSeed(
      'before Durango stakers may wait for their start, and no node gives all of their values',
    );
  const fee = await platform.validatorFeeState(options);
  if (fee === null) throw new NoSeed('the node does not know the fee of L1 validators (before 1.12.2)');
  return { time, excess: fee.excess };
}

/**
 * The state of stakers and L1 validators after a block, as a node has it: for a P-chain that was not followed
 * from its beginning. Only differences of the sum of fees count, so that it begins with 0.
 *
 * @returns null when the node was not at that block all the time: to be tried again
 * @throws NodeError; NoSeed for a state that no node says completely
 */
export async function seedState(height: bigint, given: SeedDeps): Promise<StoredState | null> {
  const { platform, options, transaction } = given;
  if (!(await isAt(platform, height, options))) return null;
  const { time, excess } = await seedClock(platform, given.durangoTime, options);
  const subnets = [ZERO_ID, ...(await platform.subnets(options)).filter((id) => id !== ZERO_ID)];
  const bySubnet = await Promise.all(
    subnets.map(async (subnetId) => ({ subnetId, stakers: await stakersOf(platform, subnetId, options) })),
  );
  const elastic = await Promise.all(
    subnets.map(async (subnetId) => {
      const made = subnetId === ZERO_ID ? null : await platform.transformation(subnetId, options);
      if (made === ZERO_ID) return [];
      const { supply } = await platform.currentSupply({ ...options, ...ofSubnet(subnetId) });
      return [{ subnetId, made, supply }];
    }),
  );
  if (!(await isAt(platform, height, options))) return null;
  // What follows never changes.
  const supplies = await Promise.all(
    elastic.flat().map(async ({ subnetId, made, supply }): Promise<[string, Supply]> => {
      const rates = made === null ? null : ratesOf(await transaction(made));
      return [subnetId, { supply, rates }];
    }),
  );
  const all = bySubnet.flatMap(({ stakers }) => stakers.filter(({ isL1 }) => !isL1));
  return {
    time,
    knowsStakers: true,
    knowsL1Validators: true,
    isNew: true,
    today: [],
    fee: { excess, accrued: 0n },
    stakers: withDelegations(
      await Promise.all(all.map(async (one) => stakerOf(one, await transaction(one.id)))),
    ),
    supplies: new Map(supplies),
    l1Validators: bySubnet.flatMap(({ subnetId, stakers }) =>
      stakers.filter(({ isL1 }) => isL1).map((one) => l1ValidatorOf(one, subnetId)),
    ),
  };
}

/** The validators of a subnet and their delegators, which a node says only of nodes that are named. */
async function stakersOf(
  platform: PlatformApi,
  subnetId: string,
  options: CallOptions,
): Promise<StakerAnswer[]> {
  const validators = await platform.stakers({ ...options, ...ofSubnet(subnetId) });
  const nodeIds = validators.filter(({ delegatorCount }) => delegatorCount > 0).map(({ nodeId }) => nodeId);
  const groups = Array.from({ length: Math.ceil(nodeIds.length / NODES_A_CALL) }, (_, index) =>
    nodeIds.slice(index * NODES_A_CALL, (index + 1) * NODES_A_CALL),
  );
  const withDelegators = await Promise.all(
    groups.map((group) => platform.stakers({ ...options, ...ofSubnet(subnetId), nodeIds: group })),
  );
  return [...validators, ...withDelegators.flat().flatMap(({ delegators }) => delegators)];
}

function ratesOf(transaction: PTransaction): RewardRates {
  if (transaction.type !== 'TransformSubnetTx')
    throw new NoSeed(`the node says that ${transaction.id} made a subnet elastic: it did not`);
  const { maximumSupply, minConsumptionRate, maxConsumptionRate } = transaction.transformation;
  return { min: minConsumptionRate, max: maxConsumptionRate, cap: maximumSupply };
}

function stakerOf(answer: StakerAnswer, transaction: PTransaction): Staker {
  const { start, end, weight, potentialReward, delegateeReward } = answer;
  if (!('validator' in transaction) || end === null)
    throw new NoSeed(`no node gives all values of the staker ${answer.id} (${transaction.type})`);
  const staker = started({ ...waitingStaker(transaction), start, end }, potentialReward);
  return { ...staker, weight, delegateeReward };
}

function l1ValidatorOf(
  { id, nodeId, weight, balance, owner, start }: StakerAnswer,
  subnetId: string,
): L1Validator {
  if (owner === null)
    throw new NoSeed(`the node does not say who gets the remaining balance of the L1 validator ${id}`);
  const isActive = balance > 0n;
  return {
    validationId: id,
    subnetId,
    nodeId,
    weight,
    endFee: balance,
    paidDay: null,
    owner: storedOwner(owner),
    activeSince: isActive ? start : null,
    sinceFee: isActive ? 0n : null,
  };
}
