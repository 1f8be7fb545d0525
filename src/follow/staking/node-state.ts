import type { PlatformApi, Terms } from '../node/apis.js';
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
  terms: Terms,
): Promise<PresentState | null> {
  if (!(await isAt(platform, height, terms))) return null;
  const [supplies, validators, fee] = await Promise.all([
    each([...ours.supplies.keys()], async (subnetId) => {
      const { supply } = await platform.currentSupply({ ...terms, ...ofSubnet(subnetId) });
      return supply;
    }),
    each([...ours.validators.keys()], (subnetId) =>
      platform.currentValidators({ ...terms, ...ofSubnet(subnetId) }),
    ),
    platform.validatorFeeState(terms),
  ]);
  return (await isAt(platform, height, terms)) ? { supplies, validators, fee } : null;
}

/** Whether a node is at a block. */
export async function isAt(platform: PlatformApi, height: bigint, terms: Terms): Promise<boolean> {
  const answer = await platform.currentSupply(terms);
  return answer.height === height;
}

async function each<T>(ids: readonly string[], ask: (id: string) => Promise<T>): Promise<Map<string, T>> {
  return new Map(await Promise.all(ids.map(async (id) => [id, await ask(id)] as const)));
}
