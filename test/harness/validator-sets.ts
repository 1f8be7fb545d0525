import type { StakingState } from '../../src/follow/staking/state.js';
import type { Call } from '../avalanche/codec/recorded.js';

/** Under this name nodes list the weight of all L1 validators that are not active. */
export const INACTIVE = 'NodeID-111111111111111111116DBWJs';
const PRIMARY = '11111111111111111111111111111111LpoYY';

/** The validators of a subnet after a block: their weight, with that of their delegators, by node. */
export interface SetAt {
  readonly height: number;
  readonly subnetId: string;
  readonly weights: Readonly<Record<string, string>>;
}

/** What platform.getValidatorsAt answered, by height. */
export function setsOf(calls: readonly Call[]): Map<number, SetAt[]> {
  const all = calls
    .filter(({ method }) => method === 'platform.getValidatorsAt')
    .map(({ args, result }) => ({
      height: args['height'] as number,
      subnetId: (args['subnetID'] as string | undefined) ?? PRIMARY,
      weights: sorted(
        Object.entries(result as Record<string, { weight: string }>).map(([id, { weight }]) => [id, weight]),
      ),
    }));
  const byHeight = new Map<number, SetAt[]>();
  for (const one of all.sort((a, b) => a.height - b.height))
    byHeight.set(one.height, [...(byHeight.get(one.height) ?? []), one]);
  return byHeight;
}

/** The same as our state says it. */
export function weightsOf({ stakers, l1Validators }: StakingState, subnetId: string): SetAt['weights'] {
  const sums = new Map<string, bigint>();
  const add = (nodeId: string, weight: bigint) => sums.set(nodeId, (sums.get(nodeId) ?? 0n) + weight);
  for (const one of stakers?.set.staking ?? []) if (one.subnetId === subnetId) add(one.nodeId, one.weight);
  for (const one of l1Validators.all)
    if (one.subnetId === subnetId) add(one.endFee > 0n ? one.nodeId : INACTIVE, one.weight);
  return sorted([...sums].map(([nodeId, weight]) => [nodeId, weight.toString()]));
}

const sorted = (weights: [string, string][]) =>
  Object.fromEntries(weights.sort(([a], [b]) => (a < b ? -1 : 1)));
