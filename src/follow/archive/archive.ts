import type { BlockOptions } from '../node/apis.js';
import { isEnd } from '../node/in-order.js';
import { NodeError } from '../node/error.js';
import type { EvmApi, EvmBlock } from '../node/evm-apis.js';
import type { EvmNodes } from '../node/nodes.js';

/**
 * What gives the past of an EVM chain: a node, or an archive. Blocks are as `eth_getBlockByNumber` prints
 * them, receipts as `eth_getBlockReceipts`, traces as `debug_traceBlockByNumber` with callTracer; `read` of
 * the options proves them. Blocks are fewer, or none, where it has no more.
 *
 * @throws NodeError for what it does not have; the signal's reason
 */
export type PastSource = Pick<EvmApi, 'blocks' | 'wholeBlocks' | 'receipts' | 'traces'>;

/** Files with the past of an EVM chain. What cannot be read or proved of them is not thrown, but lacking. */
export interface Archive extends PastSource {
  /** Printable, as the `endpoint` of its answers. */
  readonly name: string;
  /** Nothing of it is believed any more: nodes say otherwise. @param reason for people */
  setAside(reason: string): void;
}

/** The same nodes, which are asked only for what the archive does not have; null: there is none. */
export function archiveFirst<N extends EvmNodes>(nodes: N, archive: Archive | null): N {
  if (archive === null) return nodes;
  const { evm } = nodes;
  const blocks =
    (method: 'blocks' | 'wholeBlocks') =>
    async <T = EvmBlock>(from: bigint, count: number, options?: BlockOptions<EvmBlock, T>) => {
      const found = await archive[method](from, count, options);
      if (found.length === count) return found;
      const next = from + BigInt(found.length);
      const rest = evm[method](next, count - found.length, options);
      // Blocks that were found are given also where the next one does not exist yet.
      return [...found, ...(await (found.length === 0 ? rest : unlessEnd(rest)))];
    };
  return {
    ...nodes,
    archive: archive.name,
    setAside(source, reason) {
      if (source !== archive.name) return nodes.setAside(source, reason);
      archive.setAside(reason);
      return true;
    },
    evm: {
      ...evm,
      blocks: blocks('blocks'),
      wholeBlocks: blocks('wholeBlocks'),
      receipts: (height, options) =>
        orElse(archive.receipts(height, options), () => evm.receipts(height, options)),
      traces: (height, options) => orElse(archive.traces(height, options), () => evm.traces(height, options)),
    },
  };
}

/** What nodes say, where the archive lacks it. */
async function orElse<T>(found: Promise<T>, ask: () => Promise<T>): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return ask();
  }
}

async function unlessEnd<T>(rest: Promise<T[]>): Promise<T[]> {
  try {
    return await rest;
  } catch (error) {
    if (isEnd(error)) return [];
    throw error;
  }
}
