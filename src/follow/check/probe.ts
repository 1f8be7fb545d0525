import { NodeError, unlessFailed } from '../node/error.js';
import type { IndexName, CallOptions } from '../node/apis.js';
import type { Nodes } from '../node/nodes.js';
import { allStreams, type ChosenStreams, type Filled } from './chosen-streams.js';
import { evmLines, type EvmLine, type OpenCost } from './evm-lines.js';
import { keepsBalances } from '../evm/kept.js';
import { linesOf } from './probe-lines.js';

/** What one node can give, found by asking it. Nothing is written. */
export interface Probe {
  /** Printable address. */
  readonly endpoint: string;
  /** Why it could not be asked; null when it answered. */
  readonly problem: string | null;
  readonly node: ProbedNode | null;
  /** What can be filled and what not, in the order of printing. */
  readonly lines: readonly ProbeLine[];
}

export interface ProbedNode {
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

export interface ProbeLine extends Filled {
  readonly what: string;
}

/**
 * Asks one node what it has. Takes some dozen calls.
 *
 * @param nodes a client of this endpoint alone
 * @param openCost as `evmLines`
 * @throws the signal's reason
 */
export async function probe(
  nodes: Nodes,
  options: CallOptions,
  chosen: ChosenStreams = allStreams,
  openCost: OpenCost | null = null,
): Promise<Probe> {
  const endpoint = nodes.endpoints()[0]!.name;
  try {
    const facts = await factsOf(nodes, options);
    const ofCChain =
      facts.heads.C === null ? [] : await evmLines(nodes, 'the C-chain', chosen, options, openCost);
    const node = { ...facts, ...(await stateOf(ofCChain, nodes, facts.heads.C ?? 0n, options)) };
    return { endpoint, problem: null, node, lines: await linesOf(nodes, node, ofCChain, chosen, options) };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return { endpoint, problem: error.message, node: null, lines: [] };
  }
}

async function factsOf(
  { info, platform, avm, evm, ...nodes }: Nodes,
  options: CallOptions,
): Promise<Omit<ProbedNode, 'tracer' | 'archive'>> {
  const P = await info.isBootstrapped('P', options);
  const X = await info.isBootstrapped('X', options);
  const C = await info.isBootstrapped('C', options);
  const heads = {
    P: P ? await platform.height(options) : null,
    X: X ? await avm.height(options) : null,
    C: C ? await evm.height(options) : null,
  };
  return {
    version: await info.nodeVersion(options),
    nodeId: await info.nodeId(options),
    networkId: await info.networkId(options),
    networkName: await info.networkName(options),
    bootstrapped: { P, X, C },
    heads,
    index: {
      'X/tx': await indexState(nodes, 'X/tx', options),
      'X/vtx': await indexState(nodes, 'X/vtx', options),
    },
  };
}

async function indexState(
  { index }: Pick<Nodes, 'index'>,
  name: IndexName,
  options: CallOptions,
): Promise<IndexState> {
  const state = index
    .lastAccepted(name, options)
    .then((last): IndexState => (last === null ? 'empty' : 'on'));
  return unlessFailed(state, ({ reason }): IndexState => (reason === 'index-off' ? 'off' : 'unknown'));
}

/** Which flags the node runs with, from what the streams found. */
async function stateOf(
  lines: readonly EvmLine[],
  nodes: Nodes,
  head: bigint,
  options: CallOptions,
): Promise<Pick<ProbedNode, 'tracer' | 'archive'>> {
  const internals = lines.find(({ stream }) => stream === 'internals');
  const balances = lines.find(({ stream }) => stream === 'balances');
  if (!internals || !balances) return { tracer: 'unknown', archive: 'unknown' };
  // Where it is not offered, none of its blocks can be traced.
  const tracer = !internals.isOffered ? 'no' : internals.begins === null ? 'unknown' : 'yes';
  const { begins } = balances;
  if (begins === null) return { tracer, archive: 'unknown' };
  if (begins !== 'now') return { tracer, archive: begins === 0n ? 'yes' : 'no' };
  // The chain is so long that nobody has asked for its past.
  const kept = keepsBalances(nodes, head / 2n, options).then((isKept): ProbedNode['archive'] =>
    isKept ? 'yes' : 'no',
  );
  return { tracer, archive: await unlessFailed(kept, () => 'unknown' as const) };
}
