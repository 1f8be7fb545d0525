import type { PTransaction, Utxo } from '../../avalanche/codec/types.js';
import { PipelineStopped } from '../errors.js';
import type { StakingMachine } from '../staking/machine.js';
import type { PrimaryNetwork } from './network.js';
import type { Applied, Ending, Unpaid } from './p-blocks.js';
import { computedRewards, isRenewal, rewardDifference, type Reward } from './p-rewards.js';
import type { Producers } from './producers.js';

/** How often it is asked again what an end of a staker paid, when the answer cannot be believed. */
const ASKED_AGAIN = 4;

interface PaidDeps {
  readonly network: PrimaryNetwork;
  readonly producers: Producers;
}

/** The transaction whose outputs the rewards follow: the reward's own if a validator renews (ACP-236). */
export const payer = (proposal: PTransaction, staking: PTransaction): Pick<PTransaction, 'id' | 'outputs'> =>
  isRenewal(proposal) ? { id: proposal.id, outputs: [] } : staking;

/**
 * Compares the rewards that nodes report at the end of stakes with those of our state. No hash proves a
 * node's answer, and a node that does not know the end yet returns an empty list. So it is asked again while
 * both differ; without a state of ours, while the list is empty: several times for a committed end, because
 * nearly all of these are paid, and once for an aborted one. If no node offers the call, our state counts.
 *
 * @returns the same with the rewards; a difference that remains is kept as the difference of the state
 * @throws PipelineStopped where neither says it
 */
export async function paidRewards(
  applied: readonly Unpaid[],
  machine: StakingMachine,
  { network, producers }: PaidDeps,
  signal: AbortSignal,
): Promise<Applied[]> {
  const isTrusted = machine.isTrusted;
  const compared = await Promise.all(
    applied.map(async (one) => {
      const { ending } = one;
      if (ending === null) return { one: { ...one, ending }, difference: null };
      const computed = isTrusted ? computedRewards(one, network.avaxAssetId) : null;
      const rewards = await believed(one, ending, computed, producers, signal);
      const difference = computed && rewardDifference(computed, rewards);
      return { one: { ...one, ending: { ...ending, rewards } }, difference };
    }),
  );
  for (const { one, difference } of compared)
    if (difference !== null)
      machine.differ(`at the end of ${one.ending?.staking.id} ${difference}`, one.block.height ?? undefined);
  return compared.map(({ one }) => one);
}

async function believed(
  { transaction, committed }: Unpaid,
  { staking, rewards }: Ending,
  computed: readonly Reward[] | null,
  producers: Producers,
  signal: AbortSignal,
): Promise<readonly Utxo[]> {
  const isDoubted = (paid: readonly Utxo[]) =>
    computed === null ? paid.length === 0 : rewardDifference(computed, paid) !== null;
  const most = committed || computed !== null ? ASKED_AGAIN : 1;
  let last = rewards;
  for (let times = 0; last !== null && isDoubted(last) && times < most; times += 1)
    last = await producers.rewards(payer(transaction, staking), signal);
  if (last !== null) return last;
  if (computed !== null) return computed.map(({ utxo }) => utxo);
  throw new PipelineStopped(
    `no node offers platform.getRewardUTXOs, and Moraine cannot compute the reward of ${staking.id}: follow p from its first block into an empty database, or add a node that offers it`,
  );
}
