import type { PlatformApi, CallOptions } from '../node/apis.js';
import { ofSubnet } from '../node/state-answers.js';
import type { PresentState } from './present.js';

/**
 * The state of a node after a block.
 *
 * @param ours which subnets it is asked about
 * @returns null when it is not at that block all the time
 * @throws NodeError
 */
export async function nodeState(
  platform: PlatformApi,
  ours: PresentState,
  height: bigint,
  options: CallOptions,
): Promise<PresentState | null> {
  if (!(await isAt(platform, height, options))) return null;
  const [supplies, validators, fee] = await Promise.all([
    each([...ours.supplies.keys()], async (subnetId) => {
      const { supply } = await platform.currentSupply({ ...options, ...ofSubnet(subnetId) });
      return supply;
    }),
    each([...ours.validators.keys()], (subnetId) =>
      platform.currentValidators({ ...options, ...ofSubnet(subnetId) }),
    ),
    platform.validatorFeeState(options),
  ]);
  return (await isAt(platform, height, options)) ? { supplies, validators, fee } : null;
}

/** Whether a node is at a block. */
export async function isAt(platform: PlatformApi, height: bigint, options: CallOptions): Promise<boolean> {
  const answer = await platform.currentSupply(options);
  return answer.height === height;
}

async function each<T>(ids: readonly string[], ask: (id: string) => Promise<T>): Promise<Map<string, T>> {
  return new Map(await Promise.all(ids.map(async (id) => [id, await ask(id)] as const)));
}
