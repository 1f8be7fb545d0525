import { evmStreams, type EvmStream } from '../../config/follow-settings.js';
import { beginnings } from '../evm/beginning.js';
import { leftOutOf } from '../evm/offered.js';
import { missingBefore } from '../status/missing.js';
import type { CallOptions } from '../node/apis.js';
import { NodeError } from '../node/error.js';
import type { EvmNodes } from '../node/nodes.js';
import type { ProbeLine } from './probe.js';

/** Milliseconds for each question: a node that is busy for a moment has not lost anything. */
const PATIENCE_MS = 5000;

/**
 * What a stream of an EVM chain would do if it were followed from these nodes: what `follow` asks, asked now.
 */
export interface EvmLine extends Omit<ProbeLine, 'what'> {
  readonly stream: EvmStream;
  /** Null where nodes do not say it now, or the stream would be left out. */
  readonly begins: bigint | 'now' | null;
}

/**
 * @param chain for people
 * @throws NodeError while no node names its head; the signal's reason
 */
export async function evmLines(
  nodes: Pick<EvmNodes, 'evm'>,
  chain: string,
  { signal }: CallOptions,
): Promise<readonly EvmLine[]> {
  const options = { patienceMs: PATIENCE_MS, ...(signal && { signal }) };
  const head = await nodes.evm.height(options);
  const leftOut = await leftOutOf(nodes, chain, options);
  const lines: EvmLine[] = [];
  for (const stream of evmStreams) {
    const why = leftOut.get(stream);
    if (why !== undefined) lines.push({ stream, begins: null, filled: 'not filled', hint: why });
    else lines.push({ stream, ...(await beginningOf(stream, nodes, head, options)) });
  }
  return lines;
}

async function beginningOf(
  stream: EvmStream,
  nodes: Pick<EvmNodes, 'evm'>,
  head: bigint,
  options: CallOptions,
): Promise<Omit<EvmLine, 'stream'>> {
  try {
    const begins = await beginnings[stream](nodes, head, options);
    const hint = missingBefore(stream, begins, false);
    if (begins === 'now') return { begins, filled: `from block ${head + 1n}, the next one`, hint };
    return { begins, filled: begins === 0n ? 'from genesis' : `from block ${begins}`, hint };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return { begins: null, filled: 'it waits until the node says what it has', hint: error.message };
  }
}
