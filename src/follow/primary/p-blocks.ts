import type { PBlock, PTransaction, Utxo } from '../../avalanche/codec/types.js';
import type { Block } from '../pipeline.js';
import { contradiction } from '../node/error.js';
import type { L1Effect } from '../staking/l1-effect.js';
import type { StakingMachine } from '../staking/machine.js';
import type { Staker } from '../staking/staker.js';
import type { Ended } from '../staking/ended.js';
import type { RowBlock } from './rows.js';

/** A block of the P-chain as `fetch` gives it. */
export interface PItem extends Block {
  readonly block: PBlock;
  /** For a proposal that ends a staker: its transaction and what its end paid. */
  readonly ending: Ending | null;
  /** Who proposed it, NodeID-…; null where that is not known. */
  readonly proposer: string | null;
}

export interface Ending {
  readonly staking: PTransaction;
  /** In the order of their index; null where no node offers to say what was paid. */
  readonly rewards: readonly Utxo[] | null;
}

/** The end of a staker with what it paid. */
export interface PaidEnding extends Ending {
  readonly rewards: readonly Utxo[];
}

/** A transaction as a block applies it. */
export interface Applied {
  readonly transaction: PTransaction;
  readonly block: RowBlock;
  /** In the block, from 0. */
  readonly position: number;
  /** False for a proposal that was aborted. */
  readonly committed: boolean;
  readonly ending: PaidEnding | null;
  /** What its proposal ended, as our state says it; null when that is not known. */
  readonly ended: Ended | null;
  readonly l1: L1Effect | null;
  /** The staker that it made and that stakes at once. */
  readonly started: Staker | null;
}

/** The same before it is certain what ends of stakers paid. */
export type Unpaid = Omit<Applied, 'ending'> & { readonly ending: Ending | null };

/** A staker that waited and stakes now, with the time at which that was seen. */
export interface Promoted {
  readonly staker: Staker;
  readonly time: number;
}

/**
 * The transactions of consecutive blocks with the time at which they count: that of a Banff block, and
 * before Banff the chain's time, which an AdvanceTimeTx moves when it is committed.
 *
 * @param machine the state before the first block; it is moved to the one after the last block
 * @returns the transactions in the order in which they apply, the stakers that waited and have started, and
 *   the time of each block
 * @throws NodeError for a proposal without its decision
 */
export function applyBlocks(
  items: readonly PItem[],
  machine: StakingMachine,
): { applied: Unpaid[]; promoted: Promoted[]; times: number[] } {
  const applied: Unpaid[] = [];
  const times: number[] = [];
  const promoted: Promoted[] = [];
  const advance = (time: number) => {
    for (const staker of machine.advance(time)) promoted.push({ staker, time });
  };
  for (const [index, { block, ending }] of items.entries()) {
    machine.at(block.height);
    if (block.time !== null) advance(block.time);
    const rowBlock: RowBlock = { height: block.height, hash: block.id, time: machine.time };
    times.push(machine.time);
    for (const [position, transaction] of block.transactions.entries())
      applied.push({
        transaction,
        block: rowBlock,
        position,
        committed: true,
        ending: null,
        ended: null,
        ...machine.apply(transaction),
      });
    machine.settle();
    if (block.type !== 'proposal') {
      machine.show();
      continue;
    }
    const committed = isCommitted(block, items[index + 1]?.block);
    const decided = decide(block.proposal, committed, machine);
    const position = block.transactions.length;
    applied.push({ transaction: block.proposal, block: rowBlock, position, committed, ending, ...decided });
    if (committed && block.proposal.type === 'AdvanceTimeTx') advance(Number(block.proposal.time));
  }
  return { applied, promoted, times };
}

/** What a proposal does to the state: before Banff it is also how stakers come. */
function decide(
  proposal: PTransaction,
  committed: boolean,
  machine: StakingMachine,
): Pick<Applied, 'ended' | 'l1' | 'started'> {
  const nothing = { ended: null, l1: null, started: null };
  if ('stakingTxId' in proposal) return { ...nothing, ended: machine.end(proposal.stakingTxId, committed) };
  return committed ? { ...nothing, ...machine.apply(proposal) } : nothing;
}

function isCommitted(proposal: PBlock, decision: PBlock | undefined): boolean {
  if (decision?.type === 'commit') return true;
  if (decision?.type === 'abort') return false;
  throw contradiction(`block ${proposal.height} of the P-chain is a proposal without a decision after it`);
}
