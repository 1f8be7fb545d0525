import { randomInt } from 'node:crypto';
import { contradiction, NodeError } from '../node/error.js';
import { mayBeCall } from '../node/error-table.js';
import { inOrder, isEnd } from '../node/in-order.js';
import type { TransactionTrace } from '../node/evm-apis.js';
import type { Nodes } from '../node/nodes.js';
import type { MissingTransactions } from '../pipeline.js';
import { proved } from '../node/proof.js';

/** The decoded traces of a block's transactions. */
export interface Traced<T> {
  /** Of each transaction that was traced, in their order. */
  readonly traces: readonly { readonly hash: string; readonly said: T }[];
  /** Those that every node refuses to trace, while it traces others; null for none. */
  readonly missing: MissingTransactions | null;
  /** The endpoint that gave them all; null where they were traced one by one. */
  readonly source: string | null;
}

export interface AskedTraces {
  readonly height: bigint;
  /** Of its transactions, 0x…, in order. */
  readonly hashes: readonly string[];
}

/** Reads the trace of the transaction with this hash. @throws Error, which makes the answer a wrong one */
export type ReadTrace<T> = (trace: unknown, hash: string) => T;

type Evm = Pick<Nodes, 'evm'>;

/**
 * What nodes may say of a single transaction that trace other blocks than its own: that they do not know in
 * which block it is, or trace whole blocks alone.
 */
const refusalsOfOne: ReadonlySet<string> = new Set(['not-found', 'method-missing', 'plan-lacks']);

interface TracesOptions<T> {
  /** Most milliseconds for the transactions one by one; what was not traced by then is missing. */
  readonly mostMs?: number;
  /** Why an endpoint's traces cannot be all of the block's, or null. */
  readonly faultOf?: (all: readonly T[], endpoint: string) => string | null;
}

/** Most milliseconds for the transactions of a block one by one: each may take a minute. */
const MOST_MS = 600_000;

/**
 * The decoded traces of a block: one for each transaction, in their order. If every node refuses the block as
 * a whole, its transactions are traced one by one. What a node cannot trace of any block, for want of a state
 * or a tracer or because it has too much to do, is waited for.
 *
 * @throws NodeError
 */
export async function provedTraces<T>(
  nodes: Evm,
  asked: AskedTraces,
  readTrace: ReadTrace<T>,
  signal: AbortSignal,
  { mostMs = MOST_MS, faultOf = () => null }: TracesOptions<T> = {},
): Promise<Traced<T>> {
  // A node gives no traces of the genesis, and need not be asked for those of no transactions.
  if (asked.hashes.length === 0) return { traces: [], missing: null, source: null };
  try {
    return await ofBlock(nodes, asked, readTrace, { signal, faultOf });
  } catch (error) {
    if (!(error instanceof NodeError && mayBeCall(error))) throw error;
    return ofEach(nodes, asked, readTrace, {
      signal,
      mostMs,
      faultOf,
      tracesOthers: error.failureClass === 'refused',
    });
  }
}

async function ofBlock<T>(
  { evm }: Evm,
  { height, hashes }: AskedTraces,
  readTrace: ReadTrace<T>,
  { signal, faultOf }: BlockOptions<T>,
): Promise<Traced<T>> {
  const read = (traces: readonly TransactionTrace[], endpoint: string) =>
    proved(
      `the traces of block ${height}`,
      () => {
        const fault = traceFault(traces, hashes);
        const all = fault === null ? traces : [];
        const said = all.map(({ trace }, index) => readTrace(trace, hashes[index]!));
        return { fault: fault ?? faultOf(said, endpoint), said };
      },
      ({ fault }) => fault,
    ).said.map((said, index) => ({ hash: hashes[index]!, said }));
  const { value, endpoint } = await evm.traces(height, { signal, read });
  return { traces: value, missing: null, source: endpoint };
}

/** Why traces cannot be those of these transactions, or null. Old nodes do not name them. */
export function traceFault(traces: readonly TransactionTrace[], hashes: readonly string[]): string | null {
  if (traces.length !== hashes.length)
    return `${traces.length} traces were given for the ${hashes.length} transactions of a block`;
  const position = traces.findIndex(({ txHash }, index) => txHash !== null && txHash !== hashes[index]);
  return position < 0 ? null : `the trace of ${hashes[position]} is that of ${traces[position]?.txHash}`;
}

type BlockOptions<T> = Required<Pick<TracesOptions<T>, 'faultOf'>> & { readonly signal: AbortSignal };

interface EachOptions<T> extends BlockOptions<T> {
  readonly mostMs: number;
  /** Whether nodes refuse this block, and trace others. */
  readonly tracesOthers: boolean;
}

/** Each transaction for itself: a node runs all of the block before it each time. */
async function ofEach<T>(
  { evm }: Evm,
  { height, hashes }: AskedTraces,
  readTrace: ReadTrace<T>,
  { signal, mostMs, tracesOthers, faultOf }: EachOptions<T>,
): Promise<Traced<T>> {
  const ending = AbortSignal.timeout(mostMs);
  const reasons: string[] = [];
  const ends: NodeError[] = [];
  const sources = new Set<string>();
  const one = async (hash: string, inner: AbortSignal) => {
    const read = ({ trace }: TransactionTrace) =>
      proved(`the trace of transaction ${hash}`, () => ({ hash, said: readTrace(trace, hash) }));
    try {
      const traced = await evm.trace(hash, height, { signal: AbortSignal.any([inner, ending]), read });
      sources.add(traced.endpoint);
      return traced.value;
    } catch (error) {
      if (isRefusal(error, tracesOthers)) reasons.push(error.message);
      else if (ending.aborted && !inner.aborted)
        reasons.push(
          `it was not traced in the ${mostMs / 1000} seconds in which a block's transactions are traced one by one`,
        );
      else {
        if (isEnd(error)) ends.push(error);
        throw error;
      }
      return { hash, said: null };
    }
  };
  // Begins with a random one, because time may be over before the last ones.
  const start = randomInt(hashes.length);
  const indexOf = (turn: number) => (turn + start) % hashes.length;
  const turns = await inOrder(hashes.length, (turn, inner) => one(hashes[indexOf(turn)]!, inner), signal);
  // `inOrder` takes these for the end of what nodes have. Here they are failures.
  if (ends[0]) throw ends[0];
  const all = turns.map((_, index) => turns[(index - start + hashes.length) % hashes.length]!);
  const traces = all.flatMap(({ hash, said }) => (said === null ? [] : [{ hash, said }]));
  const transactions = all.flatMap(({ hash, said }) => (said === null ? [hash] : []));
  const [reason] = reasons;
  if (reason !== undefined) return { traces, missing: { transactions, reason }, source: null };
  const faults = [...sources].map((source) =>
    faultOf(
      traces.map(({ said }) => said),
      source,
    ),
  );
  const fault = faults.includes(null) ? null : (faults[0] ?? null);
  if (fault === null) return { traces, missing: null, source: null };
  if (!tracesOthers) throw contradiction(fault);
  return { traces: [], missing: { transactions: hashes, reason: fault }, source: null };
}

const isRefusal = (error: unknown, tracesOthers: boolean): error is NodeError =>
  error instanceof NodeError &&
  (error.failureClass === 'refused' || (tracesOthers && refusalsOfOne.has(error.reason)));
