import type { PTransaction } from '../../avalanche/codec/types.js';
import type { StakingMachine } from '../staking/machine.js';
import type { PrimaryNetwork } from './network.js';
import type { Applied, Ending } from './p-blocks.js';
import { computedRewards, isRenewal, rewardDifference, type Reward } from './p-rewards.js';
import type { Producers } from './producers.js';

/** How often it is asked again what an end of a staker paid, when the answer cannot be believed. */
const ASKED_AGAIN = 4;

interface PaidParts {
  readonly network: PrimaryNetwork;
  readonly producers: Producers;
}

/** The transaction whose outputs the rewards follow: the reward's own for a validator that begins again (ACP-236). */
export const payer = (proposal: PTransaction, staking: PTransaction): Pick<PTransaction, 'id' | 'outputs'> =>
  isRenewal(proposal) ? { id: proposal.id, outputs: [] } : staking;

/**
 * Compares what nodes say that ends of stakers paid with what our state says. Nothing proves a node's answer, and an empty
 * list is also what a node says that does not know the end yet. So it is asked again while both differ; without a state of
 * ours, while it is empty: often for a committed end, of which nearly all are paid, and once for another.
 *
 * @returns the same with the last answers; what still differs then is kept as the difference of the state
 */
export async function paidRewards(
  applied: readonly Applied[],
  machine: StakingMachine,
  { network, producers }: PaidParts,
  signal: AbortSignal,
): Promise<Applied[]> {
  const isTrusted = machine.isTrusted;
  const compared = await Promise.all(
    applied.map(async (one) => {
      if (one.ending === null) return { one, difference: null };
      const computed = isTrusted ? computedRewards(one, network.avaxAssetId) : null;
      const ending = await believed(one, one.ending, computed, producers, signal);
      const difference = computed && rewardDifference(computed, ending.rewards);
      return { one: { ...one, ending }, difference };
    }),
  );
  for (const { one, difference } of compared)
    if (difference !== null)
      machine.differ(`at the end of ${one.ending?.staking.id} ${difference}`, one.block.height ?? undefined);
  return compared.map(({ one }) => one);
}

async function believed(
  { transaction, committed }: Applied,
  ending: Ending,
  computed: readonly Reward[] | null,
  producers: Producers,
  signal: AbortSignal,
): Promise<Ending> {
  const isDoubted = ({ rewards }: Ending) =>
    computed === null ? rewards.length === 0 : rewardDifference(computed, rewards) !== null;
  const most = committed || computed !== null ? ASKED_AGAIN : 1;
  let last = ending;
  for (let times = 0; isDoubted(last) && times < most; times += 1) {
    const rewards = await producers.rewards(payer(transaction, ending.staking), signal);
    last = { ...ending, rewards };
  }
  return last;
}
