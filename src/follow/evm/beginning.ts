import type { Terms } from '../node/apis.js';
import type { EvmNodes } from '../node/nodes.js';
import { NodeError } from '../node/error.js';

/**
 * A chain of at most so many blocks is followed from its first one: to trace a block of the past takes a node 1 to 3 seconds
 * where its state is not in memory, so that this many take days, and all of the C-chain of mainnet years. The receipts of all
 * its blocks would take weeks.
 */
export const MOST_PAST_BLOCKS = 1_000_000n;

/** Where the logs of a chain begin if the operator has not said it: at the first block unless there are too many. */
export const logsBeginning = (head: bigint): bigint | 'now' => (head >= MOST_PAST_BLOCKS ? 'now' : 0n);

/** Whether a node offers the receipts of a block. @throws NodeError when none can answer */
export async function givesReceipts(
  { evm }: Pick<EvmNodes, 'evm'>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await evm.receipts(0n, signal ? { signal } : {});
    return true;
  } catch (error) {
    if (error instanceof NodeError && error.reason === 'method-missing') return false;
    throw error;
  }
}

/** Whether a node offers traces. @throws NodeError when none can answer */
export async function canTrace(
  { evm }: Pick<EvmNodes, 'evm'>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    // A node that offers the method says of the genesis that it cannot be traced.
    await evm.traces(0n, signal ? { signal } : {});
    return true;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    if (error.reason === 'method-missing') return false;
    if (error.failureClass === 'refused' || error.failureClass === 'elsewhere') return true;
    throw error;
  }
}

const ANY_ACCOUNT = `0x${'0'.repeat(40)}`;

/** Failures that say that a node cannot trace a block of the past. */
const lacking: ReadonlySet<string> = new Set(['state-missing', 'not-found', 'node-error']);
/** Failures with one of its transactions: it has the state. */
const ofTransaction: ReadonlySet<string> = new Set(['trace-refused', 'answer-too-large', 'unanswered']);

/**
 * Where the internal transactions of a chain begin if the operator has not said it: at the first block if a node can trace it
 * and there are not too many, else at the next one.
 *
 * @param head the newest height
 * @throws NodeError
 */
export async function internalsBeginning(
  { evm }: Pick<EvmNodes, 'evm'>,
  head: bigint,
  { signal }: Terms,
): Promise<bigint | 'now'> {
  if (head >= MOST_PAST_BLOCKS) return 'now';
  if (head < 1n) return 0n;
  try {
    // Its trace needs the state of the genesis, also where it has no transactions.
    await evm.traces(1n, { ...(signal && { signal }), patienceMs: 0 });
    return 0n;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    if (lacking.has(error.reason)) return 'now';
    if (ofTransaction.has(error.reason)) return 0n;
    throw error;
  }
}

/**
 * Where the balances of a chain begin if the operator has not said it: where its internal transactions would, if a node has the
 * state of the genesis, else at the next block.
 *
 * @param head the newest height
 * @throws NodeError
 */
export async function balancesBeginning(
  nodes: Pick<EvmNodes, 'evm'>,
  head: bigint,
  terms: Terms,
): Promise<bigint | 'now'> {
  const beginning = await internalsBeginning(nodes, head, terms);
  if (beginning === 'now') return 'now';
  return (await givesBalances(nodes, 0n, terms)) ? beginning : 'now';
}

/** Whether a node has the balances after a block. @throws NodeError when none can answer */
export async function givesBalances(
  { evm }: Pick<EvmNodes, 'evm'>,
  height: bigint,
  terms: Terms,
): Promise<boolean> {
  try {
    await evm.balances([ANY_ACCOUNT], height, terms);
    return true;
  } catch (error) {
    if (error instanceof NodeError && error.failureClass === 'elsewhere') return false;
    throw error;
  }
}
