import { createHash } from 'node:crypto';
import type { PlatformApi } from '../node/apis.js';
import { majorityOf } from '../node/majority.js';
import { MOST_DOUBTED } from './trouble.js';

/**
 * Names a reward that is to be asked for again, and what was written of it.
 *
 * @param txId the transaction after whose outputs it was paid
 * @param outputs bytes of the outputs, in any order
 */
export function doubtedReward(txId: string, outputs: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  // Their indexes come first after the id.
  for (const bytes of [...outputs].sort((one, other) => Buffer.compare(one, other))) hash.update(bytes);
  return `${txId} ${hash.digest('hex')}`;
}

/** Those of doubted rewards that nodes do not say now as they were written. @throws the signal's reason */
export async function stillDoubted(
  platform: Pick<PlatformApi, 'rewardUtxosOfEach'>,
  rewards: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (rewards.length >= MOST_DOUBTED) return rewards;
  const doubted = await Promise.all(
    rewards.map(async (reward) => {
      const [txId = ''] = reward.split(' ');
      const read = (outputs: readonly Uint8Array[]) => doubtedReward(txId, outputs);
      const each = await platform.rewardUtxosOfEach(txId, { signal, read });
      return majorityOf(each, Object.is)?.value === reward ? [] : [reward];
    }),
  );
  return doubted.flat();
}
