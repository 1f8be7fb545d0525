import type { StakingState } from '../../src/follow/staking/state.js';
import { validatorWeights } from '../../src/follow/staking/validator-weights.js';
import type { Call } from '../avalanche/codec/recorded.js';

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
export const weightsOf = (state: StakingState, subnetId: string): SetAt['weights'] =>
  sorted([...validatorWeights(state, subnetId)].map(([nodeId, weight]) => [nodeId, weight.toString()]));

const sorted = (weights: [string, string][]) =>
  Object.fromEntries(weights.sort(([a], [b]) => (a < b ? -1 : 1)));
