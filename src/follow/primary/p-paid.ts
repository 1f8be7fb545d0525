import type { PTransaction, Utxo } from '../../avalanche/codec/types.js';
import { contradiction } from '../node/error.js';
import type { StakingMachine } from '../staking/machine.js';
import { doubtedReward } from '../staking/reward-doubts.js';
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
 * nearly all of these are paid, and once for an aborted one. Our state counts, unless it was found to be
 * wrong; also then, if no node offers the call.
 *
 * @returns the same with the rewards; a difference that remains is kept as a doubt, or as rows that may be
 *   wrong
 * @throws NodeError where neither says it
 */
export async function paidRewards(
  applied: readonly Unpaid[],
  machine: StakingMachine,
  { network, producers }: PaidDeps,
  signal: AbortSignal,
): Promise<Applied[]> {
  const { isTrusted } = machine;
  const compared = await Promise.all(
    applied.map(async (one) => {
      const { ending } = one;
      if (ending === null) return { one: { ...one, ending }, computed: null, said: null };
      const computed = computedRewards(one, network.avaxAssetId);
      const trusted = isTrusted ? computed : null;
      const said = await askedRewards(one, ending, trusted, producers, signal);
      const rewards = (said === null ? computed : trusted)?.map(({ utxo }) => utxo) ?? said;
      if (rewards === null)
        throw contradiction(
          `no node offers platform.getRewardUTXOs, and Moraine cannot compute the reward of ${ending.staking.id}: follow p from its first block into an empty database, or add a node that offers it`,
        );
      return { one: { ...one, ending: { ...ending, rewards } }, computed, said };
    }),
  );
  for (const { one, computed, said } of compared) {
    if (computed === null || said === null) continue;
    const difference = rewardDifference(computed, said);
    if (difference === null) continue;
    const height = one.block.height ?? 0n;
    const text = `at the end of ${one.ending?.staking.id} ${difference}`;
    if (isTrusted) machine.doubt(text, height, unseenReward(computed, said));
    // What the node says is written: should it be found that our state was right, that was wrong.
    else machine.withhold(height);
  }
  return compared.map(({ one }) => one);
}

/** What a node says was paid, or most of several; null where none offers to say it. */
async function askedRewards(
  { transaction, committed }: Unpaid,
  { staking, rewards }: Ending,
  computed: readonly Reward[] | null,
  producers: Producers,
  signal: AbortSignal,
): Promise<readonly Utxo[] | null> {
  const paidBy = payer(transaction, staking);
  const isDoubted = (paid: readonly Utxo[]) =>
    computed === null ? paid.length === 0 : rewardDifference(computed, paid) !== null;
  const most = committed || computed !== null ? ASKED_AGAIN : 1;
  let last = rewards;
  for (let times = 0; last !== null && isDoubted(last) && times < most; times += 1)
    last = await producers.rewards(paidBy, signal);
  if (last === null || (computed !== null && !isDoubted(last))) return last;
  const said = await producers.rewardsByMost(paidBy, last, signal);
  if (said === null && computed === null)
    throw contradiction(
      `nodes say different rewards of ${paidBy.id}: only one of them can be right, and no hash proves which. They are asked again; leave out the wrong one`,
    );
  return said ?? last;
}

/**
 * What is to be asked for again where a node says otherwise only to whom a reward was paid, or which part of
 * it: supplies and weights do not show that. Null for another amount, which they show.
 */
function unseenReward(computed: readonly Reward[], paid: readonly Utxo[]): string | null {
  const sumOf = (outputs: readonly Utxo[]) => outputs.reduce((sum, { output }) => sum + output.amount, 0n);
  const own = computed.map(({ utxo }) => utxo);
  const [first] = own;
  if (!first || sumOf(own) !== sumOf(paid)) return null;
  return doubtedReward(
    first.txId,
    own.map(({ bytes }) => bytes),
  );
}
