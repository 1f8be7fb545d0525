import { evmStreams, type EvmStream, type StreamName } from '../../config/follow-settings.js';
import type { EvmLine } from './evm-lines.js';
import type { Beginnings } from '../follow.js';
import type { CallOptions } from '../node/apis.js';
import { isEnd } from '../node/in-order.js';
import type { Nodes } from '../node/nodes.js';
import type { ProbedNode, ProbeLine } from './probe.js';

/** The streams that the operator named, and where they are to begin. */
export interface ChosenStreams {
  /** None: all that the node has. */
  readonly only: readonly StreamName[];
  readonly from: Beginnings;
}

/** What the streams of the C-chain's EVM fill. */
const ofEvm: Readonly<Record<EvmStream, string>> = {
  internals: 'internal transactions of the C-chain',
  logs: 'logs of the C-chain',
  balances: 'balances of the C-chain',
};

/**
 * What the node would fill, from where on, and what would change that.
 *
 * @param ofCChain the lines of the streams of its EVM
 * @throws NodeError; the signal's reason
 */
export async function linesOf(
  nodes: Nodes,
  node: ProbedNode,
  ofCChain: readonly EvmLine[],
  { only, from }: ChosenStreams,
  given: CallOptions,
): Promise<ProbeLine[]> {
  const ofBlocks = await blocksLines(nodes, node, given);
  const evm = evmStreams.map((stream): ChainLine => {
    const what = ofEvm[stream];
    const line = ofCChain.find((each) => each.stream === stream);
    return [stream, line ? { what, filled: line.filled, hint: line.hint } : notYet(what)];
  });
  return [...ofBlocks, ...evm].flatMap(([stream, line]) => {
    const isChosen = only.includes(stream) || (stream === 'x-dag' && only.includes('x-vertices'));
    if (only.length > 0 && !isChosen) return [];
    const start = from[stream];
    // Lines before these say what is missing then.
    return start === undefined ? [line] : [{ ...line, filled: `as --from ${stream} says`, hint: null }];
  });
}

type ChainLine = readonly [StreamName, ProbeLine];

async function blocksLines(
  nodes: Nodes,
  { heads, index }: ProbedNode,
  given: CallOptions,
): Promise<ChainLine[]> {
  const { platform, avm, evm } = nodes;
  const cortina = (await nodes.info.upgrades(given)).cortinaTime;
  // A block that is missing is an answer here, not a reason to ask again.
  const options = { ...given, patienceMs: 0 };
  const day =
    cortina === undefined ? 'its linearisation' : new Date(cortina * 1000).toISOString().slice(0, 10);
  const { P, X, C } = heads;
  return [
    blocksLine('p', 'P-chain', await firstHeight((at) => platform.blockByHeight(at, options), P), {
      less: 'ask a node that has bootstrapped with this version: it has the height of each block',
      full: 'needs the genesis file of its network: --genesis',
    }),
    blocksLine('x', `X-chain since ${day}`, await firstHeight((at) => avm.blockByHeight(at, options), X), {
      less: 'ask a node that has bootstrapped with this version',
      full: null,
    }),
    blocksLine(
      'c-atomic',
      'C-chain, atomic transactions',
      await firstHeight((at) => evm.headers(at, 1, options), C),
      {
        less: 'set "state-sync-enabled": false in configs/chains/C/config.json and bootstrap again',
        full: null,
      },
    ),
    ['x-dag', dagLine(day, index)],
  ];
}

const notYet = (what: string): ProbeLine => ({
  what,
  filled: 'not yet: the node is still bootstrapping this chain',
  hint: 'wait for it',
});

function blocksLine(
  stream: StreamName,
  what: string,
  first: bigint | null,
  hints: { readonly less: string; readonly full: string | null },
): ChainLine {
  if (first === null) return [stream, notYet(what)];
  if (first <= 1n) return [stream, { what, filled: 'from genesis', hint: hints.full }];
  const filled = `it waits for block 1, which this node does not have; --from ${stream}=${first} begins with the first one that it has`;
  return [stream, { what, filled, hint: hints.less }];
}

function dagLine(day: string, index: ProbedNode['index']): ProbeLine {
  const what = `X-chain before ${day}`;
  const state = index['X/tx'];
  if (state === 'on') return { what, filled: 'from genesis, with vertices', hint: null };
  const filled = 'not filled: outputs from then appear when they are spent';
  if (state === 'unknown')
    return { what, filled: 'it waits until the node says whether it keeps an index', hint: null };
  if (state === 'off')
    return { what, filled, hint: 'start the node with --index-enabled from its first start on' };
  return {
    what,
    filled,
    hint: 'the index of this node is empty: the network never had such transactions, or the index was enabled too late',
  };
}

/**
 * The lowest height from which a node has all blocks: 0 or 1 if none is missing. A binary search, because
 * blocks are missing only below a height (an upgrade without bootstrapping, state sync).
 *
 * @returns null when the head is unknown
 */
async function firstHeight(
  read: (height: bigint) => Promise<unknown>,
  head: bigint | null,
): Promise<bigint | null> {
  if (head === null) return null;
  const has = async (height: bigint) => {
    try {
      await read(height);
      return true;
    } catch (error) {
      if (isEnd(error)) return false;
      throw error;
    }
  };
  if (head === 0n || (await has(1n))) return 0n;
  let [missing, present] = [1n, head];
  while (present - missing > 1n) {
    const middle = (missing + present) / 2n;
    if (await has(middle)) present = middle;
    else missing = middle;
  }
  return present;
}
