import { NodeError } from './node/error.js';
import type { IndexName, Terms } from './node/apis.js';
import { isEnd } from './node/in-order.js';
import type { Nodes } from './node/nodes.js';

/** What one node can give, found by asking it. Nothing is written. */
export interface Probe {
  /** Printable address. */
  readonly endpoint: string;
  /** Why it could not be asked; null when it answered. */
  readonly problem: string | null;
  readonly node: NodeFacts | null;
  /** What can be filled and what not, in the order of printing. */
  readonly lines: readonly ProbeLine[];
}

export interface NodeFacts {
  /** For example `avalanchego/1.14.0`. */
  readonly version: string;
  readonly nodeId: string;
  readonly networkId: number;
  readonly networkName: string;
  readonly bootstrapped: Readonly<Record<'P' | 'X' | 'C', boolean>>;
  readonly heads: Readonly<Record<'P' | 'X' | 'C', bigint | null>>;
  readonly index: Readonly<Record<'X/tx' | 'X/vtx', IndexState>>;
  readonly tracer: Answered;
  readonly archive: Answered;
}

export type IndexState = 'on' | 'empty' | 'off' | 'unknown';
export type Answered = 'yes' | 'no' | 'unknown';

export interface ProbeLine {
  readonly what: string;
  /** `from genesis`, `from block 123`, `not filled`, … */
  readonly filled: string;
  /** What the operator would change so that more is filled; null for nothing. */
  readonly hint: string | null;
}

/** A height that an archive has is asked for in steps of so many blocks. */
const STEP = 50n;

/**
 * Asks one node what it has. Takes some dozen calls.
 *
 * @param nodes a client of this endpoint alone
 * @throws the signal's reason
 */
export async function probe(nodes: Nodes, terms: Terms): Promise<Probe> {
  const endpoint = nodes.endpoints()[0]!.name;
  try {
    const node = await factsOf(nodes, terms);
    return { endpoint, problem: null, node, lines: await linesOf(nodes, node, terms) };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return { endpoint, problem: error.message, node: null, lines: [] };
  }
}

async function factsOf({ info, platform, avm, evm, ...nodes }: Nodes, terms: Terms): Promise<NodeFacts> {
  const P = await info.isBootstrapped('P', terms);
  const X = await info.isBootstrapped('X', terms);
  const C = await info.isBootstrapped('C', terms);
  const heads = {
    P: P ? await platform.height(terms) : null,
    X: X ? await avm.height(terms) : null,
    C: C ? await evm.height(terms) : null,
  };
  return {
    version: (await info.nodeVersion(terms)).version,
    nodeId: await info.nodeId(terms),
    networkId: await info.networkId(terms),
    networkName: await info.networkName(terms),
    bootstrapped: { P, X, C },
    heads,
    index: {
      'X/tx': await indexState(nodes, 'X/tx', terms),
      'X/vtx': await indexState(nodes, 'X/vtx', terms),
    },
    tracer: await hasTracer(evm, heads.C, terms),
    archive: await isArchive(evm, heads.C, terms),
  };
}

async function indexState(
  { index }: Pick<Nodes, 'index'>,
  name: IndexName,
  terms: Terms,
): Promise<IndexState> {
  const answer = await unlessRefused(index.lastAccepted(name, terms));
  if (answer instanceof NodeError) return answer.reason === 'index-off' ? 'off' : 'unknown';
  return answer === null ? 'empty' : 'on';
}

/** The node says that the method does not exist before it looks at the block (FINDINGS 9). */
async function hasTracer(evm: Nodes['evm'], head: bigint | null, terms: Terms): Promise<Answered> {
  if (head === null || head === 0n) return 'unknown';
  const params = [`0x${head.toString(16)}`, { tracer: 'callTracer' }];
  const answer = await unlessRefused(evm.call('debug_traceBlockByNumber', params, terms));
  if (!(answer instanceof NodeError)) return 'yes';
  return answer.reason === 'method-missing' ? 'no' : 'unknown';
}

/** Whether it has the state of a block half-way to the head. */
async function isArchive(evm: Nodes['evm'], head: bigint | null, terms: Terms): Promise<Answered> {
  if (head === null) return 'unknown';
  const height = (head / 2n / STEP) * STEP;
  const params = [`0x${'0'.repeat(40)}`, `0x${height.toString(16)}`];
  const answer = await unlessRefused(evm.call('eth_getBalance', params, terms));
  if (!(answer instanceof NodeError)) return 'yes';
  return answer.reason === 'state-missing' ? 'no' : 'unknown';
}

async function unlessRefused<T>(answer: Promise<T>): Promise<T | NodeError> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NodeError) return error;
    throw error;
  }
}

async function linesOf(nodes: Nodes, node: NodeFacts, given: Terms): Promise<ProbeLine[]> {
  const { platform, avm, evm } = nodes;
  const cortina = (await nodes.info.upgrades(given))['cortinaTime'];
  // What is not found is asked for once.
  const terms = { ...given, patienceMs: 0 };
  const day = typeof cortina === 'string' ? cortina.slice(0, 10) : 'its linearisation';
  const { P, X, C } = node.heads;
  return [
    blocksLine('P-chain', await firstHeight((at) => platform.blockByHeight(at, terms), P), {
      ...{ less: 'ask a node that has bootstrapped with this version: it has the height of each block' },
      full: 'give its genesis file with --genesis',
    }),
    blocksLine(`X-chain since ${day}`, await firstHeight((at) => avm.blockByHeight(at, terms), X), {
      ...{ less: 'ask a node that has bootstrapped with this version', full: null },
    }),
    blocksLine('C-chain, atomic transactions', await firstHeight((at) => evm.headers(at, 1, terms), C), {
      ...{
        less: 'set "state-sync-enabled": false in configs/chains/C/config.json and bootstrap again',
        full: null,
      },
    }),
    dagLine(day, node.index),
    tracesLine(node),
    {
      ...{ what: 'balances of the C-chain', filled: 'not filled: Moraine does not follow them yet' },
      hint: node.archive === 'no' ? archiveHint : null,
    },
  ];
}

const archiveHint =
  'set "pruning-enabled": false and "state-sync-enabled": false in configs/chains/C/config.json for those of the past';
const tracerHint =
  'add "debug-tracer" to "eth-apis" in configs/chains/C/config.json; for blocks of the past also "pruning-enabled": false';

function blocksLine(
  what: string,
  first: bigint | null,
  hints: { less: string; full: string | null },
): ProbeLine {
  if (first === null) return { what, filled: 'not yet: the node still bootstraps it', hint: 'wait for it' };
  if (first <= 1n) return { what, filled: 'from genesis', hint: hints.full };
  return { what, filled: `from block ${first}`, hint: hints.less };
}

function dagLine(day: string, index: NodeFacts['index']): ProbeLine {
  const what = `X-chain before ${day}, vertices`;
  const states = [index['X/tx'], index['X/vtx']];
  const filled = 'not filled: such outputs appear when they are spent';
  if (states.includes('off'))
    return { what, filled, hint: 'start the node with --index-enabled from its first start on' };
  if (states.every((state) => state === 'on')) return { what, filled, hint: null };
  return {
    what,
    filled,
    hint: 'the index of this node has nothing: there never were any, or it was switched on too late',
  };
}

function tracesLine({ tracer, archive }: NodeFacts): ProbeLine {
  const what = 'internal transactions of the C-chain';
  const filled = 'not filled: Moraine does not follow them yet';
  if (tracer === 'no') return { what, filled, hint: tracerHint };
  return { what, filled, hint: archive === 'no' ? archiveHint : null };
}

/**
 * The lowest height from which on a node has blocks: the first is 0 or 1 where it has them all. By halves, because what
 * is missing is missing up to a height (FINDINGS 30, state sync).
 *
 * @returns null when the head is unknown
 */
async function firstHeight(
  read: (height: bigint) => Promise<unknown>,
  head: bigint | null,
): Promise<bigint | null> {
  if (head === null) return null;
  const has = async (height: bigint) => {
    const answer = await unlessRefused(read(height));
    if (!(answer instanceof NodeError)) return true;
    if (!isEnd(answer)) throw answer;
    return false;
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
