import { NodeError } from './node/error.js';
import type { IndexName, Terms } from './node/apis.js';
import type { Nodes } from './node/nodes.js';
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

export interface ProbeLine {
  readonly what: string;
  /** `from genesis`, `from block 123`, `not filled`, … */
  readonly filled: string;
  /** What the operator would change so that more is filled; null for nothing. */
  readonly hint: string | null;
}

/** Newest blocks of which one is traced. */
const TRACED_BLOCKS = 64n;
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

async function factsOf({ info, platform, avm, evm, ...nodes }: Nodes, terms: Terms): Promise<ProbedNode> {
  const P = await info.isBootstrapped('P', terms);
  const X = await info.isBootstrapped('X', terms);
  const C = await info.isBootstrapped('C', terms);
  const heads = {
    P: P ? await platform.height(terms) : null,
    X: X ? await avm.height(terms) : null,
    C: C ? await evm.height(terms) : null,
  };
  return {
    version: await info.nodeVersion(terms),
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

/**
 * Whether it traces one of its newest blocks that has transactions: of one without any, a node says that there are no traces,
 * whatever tracer was named. Only the method's absence is said of every block.
 */
async function hasTracer(evm: Nodes['evm'], head: bigint | null, terms: Terms): Promise<Answered> {
  if (head === null || head === 0n) return 'unknown';
  const first = head > TRACED_BLOCKS ? head - TRACED_BLOCKS : 1n;
  const newest = await unlessRefused(evm.blocks(first, Number(head - first) + 1, terms));
  const used =
    newest instanceof NodeError ? undefined : newest.findLast(({ value }) => value.transactions.length > 0);
  const height = used ? BigInt(used.value.header.number) : head;
  const answer = await unlessRefused(evm.traces(height, terms));
  if (!(answer instanceof NodeError)) return used ? 'yes' : 'unknown';
  return answer.reason === 'method-missing' || answer.reason === 'tracer-missing' ? 'no' : 'unknown';
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
