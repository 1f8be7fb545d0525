import type { PBlock, PTransaction, Utxo } from '../../avalanche/codec/types.js';
import type { Block } from '../pipeline.js';
import type { L1Effect, L1State } from './l1-state.js';
import type { RowBlock } from './rows.js';

/** A block of the P-chain as `fetch` gives it. */
export interface PItem extends Block {
  readonly block: PBlock;
  /** For a proposal that ends a staker: its transaction and what its end paid. */
  readonly ending: Ending | null;
}

export interface Ending {
  readonly staking: PTransaction;
  /** In the order of their index. */
  readonly rewards: readonly Utxo[];
}

/** A transaction as a block applies it. */
export interface Applied {
  readonly transaction: PTransaction;
  readonly block: RowBlock;
  /** False for a proposal that was aborted. */
  readonly committed: boolean;
  readonly ending: Ending | null;
  readonly l1: L1Effect | null;
}

/**
 * The transactions of consecutive blocks with the time at which they count: that of a Banff block, and
 * before Banff the chain's time, which an AdvanceTimeTx moves when it is committed.
 *
 * @param time the chain's time before the first block
 * @param l1 the state of L1 validators before it
 * @returns the transactions in the order in which they apply, and the chain's time after the last block
 * @throws Error for a proposal without its decision
 */
export function applyBlocks(
  items: readonly PItem[],
  time: number,
  l1: L1State,
): { applied: Applied[]; time: number } {
  const applied: Applied[] = [];
  let now = time;
  for (const [place, { block, ending }] of items.entries()) {
    const begin = block.time ?? now;
    l1.advance(now, begin);
    now = begin;
    const rowBlock: RowBlock = { height: block.height, hash: block.id, time: now };
    for (const transaction of block.transactions)
      applied.push({
        transaction,
        block: rowBlock,
        committed: true,
        ending: null,
        l1: l1.apply(transaction),
      });
    l1.settle(now);
    if (block.type !== 'proposal') continue;
    const committed = isCommitted(block, items[place + 1]?.block);
    applied.push({ transaction: block.proposal, block: rowBlock, committed, ending, l1: null });
    if (committed && block.proposal.type === 'AdvanceTimeTx') now = Number(block.proposal.time);
  }
  return { applied, time: now };
}

function isCommitted(proposal: PBlock, decision: PBlock | undefined): boolean {
  if (decision?.type === 'commit') return true;
  if (decision?.type === 'abort') return false;
  throw new Error(`block ${proposal.height} of the P-chain is a proposal, and no decision follows it`);
}
