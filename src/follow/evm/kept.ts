import { NodeError, unless } from '../node/error.js';
import { mayBeCall } from '../node/error-table.js';
import type { CallOptions } from '../node/apis.js';
import type { EvmNodes } from '../node/nodes.js';

/** What says that a node has not kept a block, or the state after it. */
const notKept: ReadonlySet<string> = new Set(['state-missing', 'history-missing', 'not-found']);
/** What says that it does not offer this for any block. */
export const notOffered: ReadonlySet<string> = new Set(['method-missing', 'tracer-missing', 'plan-lacks']);
const missing = new Set([...notKept, ...notOffered]);
/** Failures with one transaction of a block: the state of the block is there. */
const ofTransaction: ReadonlySet<string> = new Set(['trace-refused', 'answer-too-large']);

/** How many blocks are searched for one with transactions. */
const LOOK = 20n;
/** An account like any other. */
export const anyAccount = `0x${'0'.repeat(40)}`;

/**
 * The lowest height from which on nodes have everything up to the head. A node that prunes has the newest
 * states, and single older ones: that of the genesis, and those that it writes to its disk now and then. So
 * the halves towards the head are looked at again until none is missing. A height that is missing alone is a
 * gap, and no end of what is kept.
 *
 * @param has whether a node has what belongs to a height
 * @throws what `has` throws
 */
export async function lowestKept(
  has: (height: bigint) => Promise<boolean>,
  first: bigint,
  head: bigint,
): Promise<bigint> {
  const isLost = async (height: bigint) =>
    !(await has(height)) && (height === first || !(await has(height - 1n)));
  // If the newest is missing too, nothing shows from where on the node keeps it. The stream begins, and waits
  // for it.
  if (!(await hasNewest(has, first, head))) return first;
  for (let low = first; ;) {
    let lost = await highestLost(isLost, low, head);
    if (lost === null) return low;
    low = head;
    while (low - lost > 1n) {
      const middle: bigint = (low + lost) / 2n;
      if (await isLost(middle)) lost = middle;
      else low = middle;
    }
  }
}

/**
 * Whether a node has what belongs to the newest height. It may refuse this block alone, in any words: that
 * shows only after it has answered for another one, and this is the first that it is asked for.
 */
async function hasNewest(
  has: (height: bigint) => Promise<boolean>,
  first: bigint,
  head: bigint,
): Promise<boolean> {
  try {
    return await has(head);
  } catch (error) {
    if (head <= first || !(error instanceof NodeError && mayBeCall(error))) throw error;
    await has(head - 1n);
    return has(head);
  }
}

/**
 * The first height that is missing among those a half, a quarter, … of the way from `low` to the head; null
 * for none.
 */
async function highestLost(
  isLost: (height: bigint) => Promise<boolean>,
  low: bigint,
  head: bigint,
): Promise<bigint | null> {
  for (let step = (head - low) / 2n; ; step /= 2n) {
    if (low + step < head && (await isLost(low + step))) return low + step;
    if (step <= 0n) return null;
  }
}

/**
 * Whether a node can trace the first transactions from a height on: a client may answer for a block without
 * any, whatever it has.
 *
 * @throws NodeError while a node may still answer otherwise
 */
export async function keepsTraces(
  { evm }: Pick<EvmNodes, 'evm'>,
  height: bigint,
  head: bigint,
  options: CallOptions,
): Promise<boolean> {
  const count = head - height + 1n < LOOK ? head - height + 1n : LOOK;
  return isKept(async () => {
    const blocks = await evm.blocks(height, Number(count), options);
    const used = blocks.find(({ value }) => value.transactions.length > 0);
    await evm.traces(used ? BigInt(used.value.header.number) : height, options);
  });
}

/** Whether a node has the receipts of a block. @throws NodeError as above */
export const keepsReceipts = ({ evm }: Pick<EvmNodes, 'evm'>, height: bigint, options: CallOptions) =>
  isKept(() => evm.receipts(height, options));

/**
 * Whether a node has the balances after a block. Whether it offers them at all is found out at the head
 * (offered.ts).
 *
 * @throws NodeError as above
 */
export async function keepsBalances(
  { evm }: Pick<EvmNodes, 'evm'>,
  height: bigint,
  options: CallOptions,
): Promise<boolean> {
  const kept = isKept(() => evm.balances([anyAccount], height, options));
  return unless(kept, (error) => error.isFromAll(notOffered), true);
}

/** False if no node has kept it; nodes that never offer it do not count. */
async function isKept(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const { reasons } = error;
    if (reasons.some((each) => ofTransaction.has(each ?? ''))) return true;
    const isDecided = error.isFromAll(missing);
    if (isDecided && reasons.some((each) => notKept.has(each ?? ''))) return false;
    // Refused while others are traced: a fault with this block alone.
    if (error.failureClass === 'refused') return true;
    throw error;
  }
}
