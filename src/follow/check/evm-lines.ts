import { evmStreams, type EvmStream } from '../../config/follow-settings.js';
import { beginnings, keeps } from '../evm/beginning.js';
import { leftOutOf, needsOf } from '../evm/offered.js';
import { missingBefore } from '../status/missing.js';
import type { CallOptions } from '../node/apis.js';
import { NodeError, unlessFailed } from '../node/error.js';
import type { EvmNodes } from '../node/nodes.js';
import { startOf } from '../follow.js';
import { filledAsSaid, type ChosenStreams, type Filled } from './chosen-streams.js';
import type { PastCost } from './past-cost.js';

/** Milliseconds for each question: a node that is busy for a moment has not lost anything. */
const PATIENCE_MS = 5000;

/**
 * What a stream of an EVM chain would do if it were followed from these nodes: what `follow` asks, asked now.
 */
export interface EvmLine extends Filled {
  readonly stream: EvmStream;
  /** Whether a node offers what it needs. */
  readonly isOffered: boolean;
  /**
   * From where on nodes have what it needs, whatever the operator says. Null where they do not say it now, or
   * none offers it.
   */
  readonly begins: bigint | 'now' | null;
}

/**
 * @param chain for people
 * @param chosen what the operator named
 * @param openCost makes what says what the past takes; null: nobody asks
 * @throws NodeError while no node names its head; the signal's reason
 */
export async function evmLines(
  nodes: Pick<EvmNodes, 'evm'>,
  chain: string,
  chosen: ChosenStreams,
  { signal }: CallOptions,
  openCost: OpenCost | null = null,
): Promise<readonly EvmLine[]> {
  const options = { patienceMs: PATIENCE_MS, ...(signal && { signal }) };
  const head = await nodes.evm.height(options);
  const evmChainId = await nodes.evm.chainId(options);
  const leftOut = await leftOutOf(nodes, chain, chosen.tokens, options);
  const lines: EvmLine[] = [];
  const cost = lazily(openCost);
  for (const stream of evmStreams) {
    const why = leftOut.get(stream);
    if (why !== undefined) lines.push({ stream, ...notOffered(stream, why, chosen) });
    else {
      const found = await beginningOf(stream, nodes, head, options);
      const has = (height: bigint) => keeps[stream](nodes, height, head, options);
      const said = await unlessUnsaid(filledAsSaid(`${stream}:${evmChainId}`, chosen, { head, has }));
      const start = startOf(chosen.from, `${stream}:${evmChainId}`);
      const isWanted = said !== null && start !== null && isFollowed(stream, chosen);
      const words = isWanted
        ? await (await cost())?.inWords(stream, start, head, signal ?? neverAborted)
        : null;
      const line = { stream, ...found, ...said };
      lines.push(typeof words !== 'string' ? line : { ...line, filled: `${line.filled}: ${words}` });
    }
  }
  return lines;
}

/** Makes what says what the past takes, where somebody wants it. @throws NodeError */
export type OpenCost = () => PastCost | Promise<PastCost>;

/** Once, and null where no node answers. */
function lazily(open: OpenCost | null): () => Promise<PastCost | null> {
  let opened: Promise<PastCost | null> | undefined;
  return () =>
    (opened ??= open === null ? Promise.resolve(null) : unlessFailed(Promise.resolve(open()), () => null));
}

const neverAborted = new AbortController().signal;

const isFollowed = (stream: EvmStream, { only }: ChosenStreams) => only.length === 0 || only.includes(stream);

/** A stream that the operator names is not left out. */
function notOffered(
  stream: EvmStream,
  why: string,
  { only, tokens }: ChosenStreams,
): Omit<EvmLine, 'stream'> {
  const line = { isOffered: false, begins: null };
  return only.length === 0
    ? { ...line, filled: 'not filled', hint: why }
    : { ...line, filled: 'it waits', hint: `until a node offers ${needsOf(stream, tokens)}` };
}

/** What waits until nodes say what they have. */
const waits = ({ message }: NodeError) => ({
  filled: 'it waits until the node says what it has',
  hint: message,
});

async function unlessUnsaid<T>(asked: Promise<T>): Promise<T | ReturnType<typeof waits>> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NodeError) return waits(error);
    throw error;
  }
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
    const isOffered = true;
    if (begins === 'now') return { isOffered, begins, filled: `from block ${head + 1n}, the next one`, hint };
    return { isOffered, begins, filled: begins === 0n ? 'from genesis' : `from block ${begins}`, hint };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return { isOffered: true, begins: null, ...waits(error) };
  }
}
