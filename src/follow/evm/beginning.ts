import type { EvmStream } from '../../config/follow-settings.js';
import type { CallOptions } from '../node/apis.js';
import type { EvmNodes } from '../node/nodes.js';
import { keepsBalances, keepsReceipts, keepsTraces, lowestKept } from './kept.js';

/**
 * A chain of at most so many blocks is followed from its first one: to trace a block of the past takes a node
 * 1 to 3 seconds where its state is not in memory, so that this many take days, and all of the C-chain of
 * mainnet years. The receipts of all its blocks would take weeks.
 */
export const MOST_PAST_BLOCKS = 1_000_000n;

/**
 * Where a stream begins if the operator has not said it: the lowest block from which on nodes have what it
 * needs; the next one where the past takes too long. Nothing but what every node says decides that something
 * is missing.
 *
 * @param head the newest height
 * @throws NodeError while a node may still have more
 */
export type Beginning = (
  nodes: Pick<EvmNodes, 'evm'>,
  head: bigint,
  options: CallOptions,
) => Promise<bigint | 'now'>;

/** Of NFTs and of messages. */
export const receiptsBeginning: Beginning = async (nodes, head, options) =>
  head >= MOST_PAST_BLOCKS ? 'now' : lowestKept((height) => keepsReceipts(nodes, height, options), 0n, head);

export const internalsBeginning: Beginning = async (nodes, head, options) => {
  if (head >= MOST_PAST_BLOCKS) return 'now';
  if (head < 1n) return 0n;
  // No node traces the genesis.
  const first = await lowestKept((height) => keepsTraces(nodes, height, head, options), 1n, head);
  return first === 1n ? 0n : first;
};

/** Traces, and the balances after these blocks. */
export const balancesBeginning: Beginning = async (nodes, head, options) => {
  const first = await internalsBeginning(nodes, head, options);
  if (first === 'now') return first;
  return lowestKept((height) => keepsBalances(nodes, height, options), first, head);
};

/** Whether nodes have what a stream needs of one block. @throws NodeError while they may still have it */
export const keeps: Readonly<
  Record<
    EvmStream,
    (nodes: Pick<EvmNodes, 'evm'>, height: bigint, head: bigint, options: CallOptions) => Promise<boolean>
  >
> = {
  // No node traces the genesis.
  internals: async (nodes, height, head, options) =>
    height === 0n || keepsTraces(nodes, height, head, options),
  nfts: (nodes, height, _head, options) => keepsReceipts(nodes, height, options),
  messages: (nodes, height, _head, options) => keepsReceipts(nodes, height, options),
  balances: async (nodes, height, head, options) =>
    (await keeps.internals(nodes, height, head, options)) && keepsBalances(nodes, height, options),
};

export const beginnings: Readonly<Record<EvmStream, Beginning>> = {
  internals: internalsBeginning,
  nfts: receiptsBeginning,
  messages: receiptsBeginning,
  balances: balancesBeginning,
};
