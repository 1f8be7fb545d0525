import type { EvmStream, Start } from '../../config/follow-settings.js';
import type { Logger } from 'pino';
import { BalancesPipeline } from '../evm/balances.js';
import { atomicCredits, withdrawalCredits, type ReadCredits } from '../evm/block-credits.js';
import type { EvmChain } from '../evm/chain.js';
import { ChainReader } from '../evm/chain-reader.js';
import type { EvmDeps, EvmStreamPipeline } from '../evm/evm-stream-pipeline.js';
import { InternalsPipeline } from '../evm/internals.js';
import { MessagesPipeline } from '../evm/messages.js';
import { NftsPipeline } from '../evm/nfts.js';
import type { HeaderOf } from '../evm/proved-head.js';
import { readForkTimes } from '../network/node-facts.js';
import { NodeError } from '../node/error.js';
import type { EvmNodes, Nodes } from '../node/nodes.js';
import { costInWords } from '../status/cost.js';
import type { Block } from '../pipeline.js';

/** What the operator follows of the chain. */
interface FollowedContracts {
  readonly tokens: readonly string[];
  readonly teleporters: readonly string[];
  readonly log: Logger;
}

interface PastCostDeps extends Omit<EvmDeps, 'blocks'>, FollowedContracts {
  readonly credits: ReadCredits;
}

/** Of the C-chain. @throws NodeError */
export async function costOfCChain(
  nodes: Nodes,
  contracts: FollowedContracts,
  signal: AbortSignal,
): Promise<PastCost> {
  const credits = atomicCredits(nodes, await readForkTimes(nodes, signal));
  const chain = chainOf('c-chain');
  return new PastCost({ ...contracts, nodes, platform: nodes.platform, chain, credits });
}

/** Of another EVM chain. @param platform of nodes of the primary network */
export const costOfL1 = (
  nodes: EvmNodes,
  platform: Nodes['platform'],
  contracts: FollowedContracts,
): PastCost => {
  const chain = chainOf('l1');
  return new PastCost({ ...contracts, nodes, platform, chain, credits: withdrawalCredits });
};

/** Nothing of it but the form of its headers matters where nothing is written. */
const chainOf = (headerOf: HeaderOf): EvmChain => ({
  network: 'fuji',
  evmChainId: 0n,
  headerOf,
  blockchainId: null,
});

/** Blocks of the past that are asked for, to begin with and then for the measurement. */
const SAMPLED = 16;

/** How a stream reads a block, and the rows that it makes of it, about, by table. */
interface Sampled {
  readonly firstSince: (time: number, head: bigint, signal: AbortSignal) => Promise<bigint>;
  readonly read: (height: bigint, signal: AbortSignal) => Promise<Readonly<Record<string, number>>>;
}

const sampled = <B extends Block, D extends EvmDeps>(
  pipeline: EvmStreamPipeline<B, D>,
  rowsOf: (block: B, signal: AbortSignal) => Promise<Record<string, number>> | Record<string, number>,
): Sampled => ({
  firstSince: (time, head, signal) => pipeline.firstSince(time, head, signal),
  read: async (height, signal) => {
    const [block] = await pipeline.fetch(height, 1, signal);
    return block ? rowsOf(block, signal) : {};
  },
});

/**
 * What the past of the streams of an EVM chain takes from these nodes: they are asked for some blocks of it,
 * as `follow` asks.
 */
export class PastCost {
  private readonly streams: Readonly<Record<EvmStream, Sampled>>;

  constructor(given: PastCostDeps) {
    const deps = { ...given, blocks: new ChainReader(given) };
    this.streams = {
      internals: sampled(new InternalsPipeline(deps), ({ transactions }) => ({
        internal_tx: transactions.reduce((sum, { frames }) => sum + frames.length, 0),
      })),
      nfts: sampled(new NftsPipeline(deps), ({ transfers }) => ({ nft_token: transfers.length })),
      messages: sampled(new MessagesPipeline(deps), ({ messages }) => ({ icm_message: messages.length })),
      balances: sampled(new BalancesPipeline(deps), async ({ accounts, owners, height }, signal) => {
        await deps.nodes.evm.balances(accounts, height, { signal });
        // An address that is busy all day has one row of it: at most.
        return { evm_balance: accounts.length + owners.length };
      }),
    };
  }

  /**
   * For people: `26,000,000 blocks, about 30 days at 10 blocks/s, about 600 GB`.
   *
   * @param start from where on the stream is wanted
   * @param head the newest height
   * @returns null where nothing of the past is wanted, or a node does not give it now
   * @throws the signal's reason
   */
  async inWords(stream: EvmStream, start: Start, head: bigint, signal: AbortSignal): Promise<string | null> {
    if (start === 'now') return null;
    const one = this.streams[stream];
    try {
      const first = typeof start === 'bigint' ? start : await one.firstSince(start.since, head, signal);
      const blocks = head + 1n - first;
      if (blocks <= 0n) return null;
      const heights = Array.from(
        { length: 2 * SAMPLED },
        (_, index) => first + (blocks * BigInt(index)) / BigInt(2 * SAMPLED),
      );
      // What is not allowed at once by a node that has not answered yet is not measured.
      const isEven = (_height: bigint, index: number) => index % 2 === 0;
      await readAll(one, heights.filter(isEven), signal);
      const begun = performance.now();
      const measured = heights.filter((height, index) => !isEven(height, index));
      const rows = await readAll(one, measured, signal);
      const perSecond = (measured.length * 1000) / (performance.now() - begun);
      return costInWords({ blocks, perSecond, rows });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NodeError) return null;
      throw error;
    }
  }
}

/** @returns the rows of a block by table, on average */
async function readAll(
  { read }: Sampled,
  heights: readonly bigint[],
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const all = await Promise.all(heights.map((height) => read(height, signal)));
  const sums: Record<string, number> = {};
  for (const rows of all)
    for (const [table, count] of Object.entries(rows))
      sums[table] = (sums[table] ?? 0) + count / heights.length;
  return sums;
}
