import { evmStreams, type EvmStream, type StreamName } from '../../config/follow-settings.js';
import { startOf } from '../follow.js';
import { NoSeed, seedClock } from '../staking/seed.js';
import { filledAsSaid, type ChosenStreams } from './chosen-streams.js';
import type { EvmLine } from './evm-lines.js';
import type { CallOptions } from '../node/apis.js';
import { NodeError } from '../node/error.js';
import { isEnd } from '../node/in-order.js';
import type { Nodes } from '../node/nodes.js';
import type { ProbedNode, ProbeLine } from './probe.js';

/** What the streams of the C-chain's EVM fill. */
const ofEvm: Readonly<Record<EvmStream, string>> = {
  internals: 'internal transactions of the C-chain',
  nfts: 'NFTs of the C-chain',
  messages: 'messages of the C-chain',
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
  chosen: ChosenStreams,
  given: CallOptions,
): Promise<ProbeLine[]> {
  const ofBlocks = await blocksLines(nodes, node, chosen, given);
  const evm = evmStreams.map((stream): ChainLine => {
    const what = ofEvm[stream];
    const line = ofCChain.find((each) => each.stream === stream);
    return [stream, line ? { what, filled: line.filled, hint: line.hint } : notYet(what)];
  });
  return [...ofBlocks, ...evm].flatMap(([stream, line]) => {
    const { only } = chosen;
    const isChosen = only.includes(stream) || (stream === 'x-dag' && only.includes('x-vertices'));
    return only.length > 0 && !isChosen ? [] : [line];
  });
}

type ChainLine = readonly [StreamName, ProbeLine];

async function blocksLines(
  nodes: Nodes,
  { heads, index }: ProbedNode,
  chosen: ChosenStreams,
  given: CallOptions,
): Promise<ChainLine[]> {
  const { platform, avm, evm } = nodes;
  const { cortinaTime: cortina, durangoTime = Infinity } = await nodes.info.upgrades(given);
  // A block that is missing is an answer here, not a reason to ask again.
  const options = { ...given, patienceMs: 0 };
  const day =
    cortina === undefined ? 'its linearisation' : new Date(cortina * 1000).toISOString().slice(0, 10);
  const lineOf = (
    stream: PrimaryStream,
    what: string,
    head: bigint | null,
    read: (height: bigint) => Promise<unknown>,
    hints: Hints,
  ) => blocksLine({ stream, what, head, has: hasBlock(read), chosen }, hints);
  const { P, X, C } = heads;
  const pLine = await lineOf('p', 'P-chain', P, (at) => platform.blockByHeight(at, options), {
    less: 'ask a node that has bootstrapped with this version: it has the height of each block',
    full: chosen.hasGenesis ? null : 'needs the genesis file of its network: --genesis',
  });
  return [
    await withSeed(pLine, chosen, () => seedClock(platform, durangoTime, options)),
    await lineOf('x', `X-chain since ${day}`, X, (at) => avm.blockByHeight(at, options), {
      less: 'ask a node that has bootstrapped with this version',
      full: null,
    }),
    await lineOf('c-atomic', 'C-chain, atomic transactions', C, (at) => evm.headers(at, 1, options), {
      less: 'set "state-sync-enabled": false in configs/chains/C/config.json and bootstrap again',
      full: null,
    }),
    ['x-dag', await dagLine(nodes, day, index, chosen, options)],
  ];
}

/** A P-chain that is begun later takes the state of stakers from a node, which may not say all of it. */
async function withSeed(
  [stream, line]: ChainLine,
  { from }: ChosenStreams,
  ask: () => Promise<unknown>,
): Promise<ChainLine> {
  const start = startOf(from, 'p');
  if (start === null || start === 0n) return [stream, line];
  try {
    await ask();
    return [stream, line];
  } catch (error) {
    if (!(error instanceof NoSeed || error instanceof NodeError)) throw error;
    return [stream, { ...line, hint: `${line.hint}. It cannot be taken now: ${error.message}` }];
  }
}

const notYet = (what: string): ProbeLine => ({
  what,
  filled: 'not yet: the node is still bootstrapping this chain',
  hint: 'wait for it',
});

type PrimaryStream = 'p' | 'x' | 'c-atomic';

interface Hints {
  readonly less: string;
  readonly full: string | null;
}

interface ChainBlocks {
  readonly stream: PrimaryStream;
  readonly what: string;
  /** Null while it is not known. */
  readonly head: bigint | null;
  readonly has: (height: bigint) => Promise<boolean>;
  readonly chosen: ChosenStreams;
}

async function blocksLine(
  { stream, what, head, has, chosen }: ChainBlocks,
  hints: Hints,
): Promise<ChainLine> {
  if (head === null) return [stream, notYet(what)];
  const said = await filledAsSaid(stream, chosen, { head, has });
  if (said) return [stream, { what, ...said, hint: said.hint ?? hints.full }];
  const first = await firstHeight(has, head);
  if (first <= 1n) return [stream, { what, filled: 'from genesis', hint: hints.full }];
  const filled = `it waits for block 1, which this node does not have; --from ${stream}=${first} begins with the first one that it has`;
  return [stream, { what, filled, hint: hints.less }];
}

async function dagLine(
  { index: api }: Pick<Nodes, 'index'>,
  day: string,
  index: ProbedNode['index'],
  chosen: ChosenStreams,
  options: CallOptions,
): Promise<ProbeLine> {
  const what = `X-chain before ${day}`;
  const state = index['X/tx'];
  const filled = 'not filled: outputs from then appear when they are spent';
  if (state === 'on') {
    const newest = await api.lastAccepted('X/tx', options);
    const has = () => Promise.resolve(true);
    const said = await filledAsSaid('x-dag', chosen, { head: newest?.value.index ?? -1n, has });
    return { what, ...(said ?? { filled: 'from genesis, with vertices', hint: null }) };
  }
  if (state === 'unknown')
    return { what, filled: 'it waits until the node says whether it keeps an index', hint: null };
  if (state === 'off') {
    // A stream that the operator names is not left out.
    const hint = 'start the node with --index-enabled from its first start on';
    return { what, filled: chosen.only.length === 0 ? filled : 'it waits until a node keeps an index', hint };
  }
  return {
    what,
    filled,
    hint: 'the index of this node is empty: the network never had such transactions, or the index was enabled too late',
  };
}

const hasBlock = (read: (height: bigint) => Promise<unknown>) => async (height: bigint) => {
  try {
    await read(height);
    return true;
  } catch (error) {
    if (isEnd(error)) return false;
    throw error;
  }
};

/**
 * The lowest height from which a node has all blocks: 0 or 1 if none is missing. A binary search, because
 * blocks are missing only below a height (an upgrade without bootstrapping, state sync).
 */
async function firstHeight(has: (height: bigint) => Promise<boolean>, head: bigint): Promise<bigint> {
  if (head === 0n || (await has(1n))) return 0n;
  let [missing, present] = [1n, head];
  while (present - missing > 1n) {
    const middle = (missing + present) / 2n;
    if (await has(middle)) present = middle;
    else missing = middle;
  }
  return present;
}
