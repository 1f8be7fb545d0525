import type { AliasOf } from '../chains.js';
import type { OutputLineFragment } from '../generated/graphql.js';
import { transactionPath } from '../paths.js';
import { letterOf, StateBadge, type State } from './badge.js';
import { Id, Time } from './text.js';

/** What the state of an output is known by. */
export type Stateful = Pick<
  OutputLineFragment,
  | 'consumingTxHash'
  | 'staked'
  | 'createdOnChainId'
  | 'consumedOnChainId'
  | 'platformLocktime'
  | 'stakeableLocktime'
>;

const isFuture = (seconds: number | string | null | undefined) => Number(seconds ?? 0) * 1000 > Date.now();

/** What can be done with an output now: the states of the graph's UtxoState, and spent. */
export function stateOf(output: Stateful): State {
  if (output.consumingTxHash) return 'spent';
  if (output.staked) return 'staked';
  if (output.createdOnChainId !== output.consumedOnChainId) return 'waiting';
  if (isFuture(output.platformLocktime) || isFuture(output.stakeableLocktime)) return 'locked';
  return 'spendable';
}

/** The state of an output: until when, or by what it was spent. */
export function OutputState({
  output,
  network,
  aliasOf,
}: {
  output: OutputLineFragment;
  network: string;
  aliasOf: AliasOf;
}) {
  const state = stateOf(output);
  const { consumedOnChainId, consumingTxHash, utxoEndTimestamp, platformLocktime, stakeableLocktime } =
    output;
  if (consumingTxHash)
    return (
      <span class="state">
        <StateBadge state="spent">Spent by</StateBadge>
        <Id
          id={consumingTxHash}
          href={transactionPath(network, aliasOf(consumedOnChainId), consumingTxHash)}
        />
      </span>
    );
  const letter = letterOf(aliasOf(consumedOnChainId));
  const where = letter ? `on ${letter}` : 'elsewhere';
  const until = {
    staked: utxoEndTimestamp,
    locked: isFuture(platformLocktime) ? platformLocktime : stakeableLocktime,
    waiting: undefined,
    spendable: undefined,
    spent: undefined,
  }[state];
  return (
    <span class="state">
      <StateBadge state={state}>{state === 'waiting' && `Exported, waits for import ${where}`}</StateBadge>
      {until && (
        <small>
          until <Time seconds={until} />
          {state === 'locked' && !isFuture(platformLocktime) && ', may be staked'}
        </small>
      )}
    </span>
  );
}
