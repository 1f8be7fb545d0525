import { randomInt } from 'node:crypto';
import { NodeError } from '../node/error.js';
import { inOrder, isEnd } from '../node/in-order.js';
import type { TransactionTrace } from '../node/evm-apis.js';
import type { Nodes } from '../node/nodes.js';
import type { Lack } from '../pipeline.js';
import { proved } from '../primary/proof.js';

/** What the traces of a block's transactions say. */
export interface Traced<T> {
  /** Of each transaction that was traced, in their order. */
  readonly traces: readonly { readonly hash: string; readonly said: T }[];
  /** Those that every node refuses to trace; null for none. */
  readonly lacks: Lack | null;
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
 * What nodes say that cannot trace something, whenever they are asked: a transaction that takes them too long, a fault of their
 * own. Not that they have no state of the past or no tracer, which is the same for all blocks: that is waited for.
 */
const refusals: ReadonlySet<string> = new Set([
  'trace-refused',
  'node-error',
  'answer-too-large',
  // It traces others meanwhile.
  'unanswered',
]);
/** The same of a single transaction: nodes may not know in which block it is. */
const refusalsOfOne: ReadonlySet<string> = new Set([...refusals, 'not-found']);

/** Most milliseconds for the transactions of a block one by one: each may take a minute, and a block has hundreds. */
const MOST_MS = 600_000;

/**
 * What the traces of a block's transactions say, of which there are as many as transactions, in their order. If every node
 * refuses the block as a whole, its transactions are traced one by one.
 *
 * @param mostMs for the transactions one by one; what was not traced by then is lacking
 * @throws NodeError
 */
export async function provedTraces<T>(
  nodes: Evm,
  asked: AskedTraces,
  readTrace: ReadTrace<T>,
  signal: AbortSignal,
  mostMs = MOST_MS,
): Promise<Traced<T>> {
  // A node gives no traces of the genesis, and need not be asked for those of no transactions.
  if (asked.hashes.length === 0) return { traces: [], lacks: null, source: null };
  try {
    return await ofBlock(nodes, asked, readTrace, signal);
  } catch (error) {
    if (!isRefusal(error, refusals)) throw error;
    return ofEach(nodes, asked, readTrace, { signal, mostMs });
  }
}

async function ofBlock<T>(
  { evm }: Evm,
  { height, hashes }: AskedTraces,
  readTrace: ReadTrace<T>,
  signal: AbortSignal,
): Promise<Traced<T>> {
  const read = (traces: readonly TransactionTrace[]) =>
    proved(
      `the traces of block ${height}`,
      () =>
        traces.map(({ trace }, place) => ({ hash: hashes[place]!, said: readTrace(trace, hashes[place]!) })),
      () => traceFault(traces, hashes),
    );
  const { value, endpoint } = await evm.traces(height, { signal, read });
  return { traces: value, lacks: null, source: endpoint };
}

/** Why traces cannot be those of these transactions, or null. Nodes of old versions do not name the transactions. */
function traceFault(traces: readonly TransactionTrace[], hashes: readonly string[]): string | null {
  if (traces.length !== hashes.length)
    return `${traces.length} traces were given for the ${hashes.length} transactions of a block`;
  const place = traces.findIndex(({ txHash }, index) => txHash !== null && txHash !== hashes[index]);
  return place < 0 ? null : `the trace of ${hashes[place]} is that of ${traces[place]?.txHash}`;
}

/** Each transaction for itself: a node runs all of the block before it each time. */
async function ofEach<T>(
  { evm }: Evm,
  { height, hashes }: AskedTraces,
  readTrace: ReadTrace<T>,
  { signal, mostMs }: { readonly signal: AbortSignal; readonly mostMs: number },
): Promise<Traced<T>> {
  const ending = AbortSignal.timeout(mostMs);
  const reasons: string[] = [];
  const ends: NodeError[] = [];
  const one = async (hash: string, inner: AbortSignal) => {
    const read = ({ trace }: TransactionTrace) =>
      proved(`the trace of transaction ${hash}`, () => ({ hash, said: readTrace(trace, hash) }));
    try {
      return (await evm.trace(hash, height, { signal: AbortSignal.any([inner, ending]), read })).value;
    } catch (error) {
      if (isRefusal(error, refusalsOfOne)) reasons.push(error.message);
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
  // Each time from another one on: those that come last may not be reached.
  const start = randomInt(hashes.length);
  const placeOf = (turn: number) => (turn + start) % hashes.length;
  const turns = await inOrder(hashes.length, (turn, inner) => one(hashes[placeOf(turn)]!, inner), signal);
  // What ends a run of blocks does not end the transactions of one.
  if (ends[0]) throw ends[0];
  const all = turns.map((_, place) => turns[(place - start + hashes.length) % hashes.length]!);
  const traces = all.flatMap(({ hash, said }) => (said === null ? [] : [{ hash, said }]));
  const transactions = all.flatMap(({ hash, said }) => (said === null ? [hash] : []));
  const [reason] = reasons;
  return { traces, lacks: reason === undefined ? null : { transactions, reason }, source: null };
}

const isRefusal = (error: unknown, reasons: ReadonlySet<string>): error is NodeError =>
  error instanceof NodeError && reasons.has(error.reason);
