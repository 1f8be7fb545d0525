import type { StakingState } from './state.js';

/** Under this name nodes list the weight of all L1 validators of a subnet that are not active. */
export const INACTIVE_NODE_ID = 'NodeID-111111111111111111116DBWJs';

/**
 * The validators of a subnet with their weight, that of their delegators included, by node: what
 * `platform.getValidatorsAt` answers for the block after which the state is this one.
 */
export function validatorWeights(
  { stakers, l1Validators }: StakingState,
  subnetId: string,
): ReadonlyMap<string, bigint> {
  const weights = new Map<string, bigint>();
  const add = (nodeId: string, weight: bigint) => weights.set(nodeId, (weights.get(nodeId) ?? 0n) + weight);
  for (const one of stakers?.set.staking ?? []) if (one.subnetId === subnetId) add(one.nodeId, one.weight);
  for (const one of l1Validators.all)
    if (one.subnetId === subnetId) add(one.endFee > 0n ? one.nodeId : INACTIVE_NODE_ID, one.weight);
  return weights;
}

/** Ids of the subnets that have a validator, the primary network's among them. */
export function validatedSubnets({ stakers, l1Validators }: StakingState): ReadonlySet<string> {
  const all = [...(stakers?.set.staking ?? []), ...l1Validators.all];
  return new Set(all.map(({ subnetId }) => subnetId));
}
