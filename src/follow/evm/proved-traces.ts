import type { TransactionTrace } from '../node/evm-apis.js';
import type { Nodes } from '../node/nodes.js';
import { decodedOnce, faultOf } from '../primary/proof.js';
import type { ProvedHead } from './proved-head.js';

/**
 * What the traces of a block's transactions say, of which there are as many as transactions, in their order.
 *
 * @param readTrace reads one of them; what it throws makes the answer a wrong one
 * @throws NodeError
 */
export async function provedTraces<T>(
  { evm }: Pick<Nodes, 'evm'>,
  { height, hashes }: Pick<ProvedHead, 'height' | 'hashes'>,
  readTrace: (trace: unknown) => T,
  signal: AbortSignal,
): Promise<readonly T[]> {
  // A node gives no traces of the genesis, and need not be asked for those of no transactions.
  if (hashes.length === 0) return [];
  const read = decodedOnce((traces: readonly TransactionTrace[]) =>
    traces.map(({ trace }) => readTrace(trace)),
  );
  const prove = (traces: readonly TransactionTrace[]) =>
    faultOf(`the traces of block ${height}`, () => traceFault(traces, hashes) ?? (read(traces), null));
  const { value } = await evm.traces(height, { signal, prove });
  return read(value);
}

/** Why traces cannot be those of these transactions, or null. Nodes of old versions do not name the transactions. */
function traceFault(traces: readonly TransactionTrace[], hashes: readonly string[]): string | null {
  if (traces.length !== hashes.length)
    return `${traces.length} traces were given for the ${hashes.length} transactions of a block`;
  const place = traces.findIndex(({ txHash }, index) => txHash !== null && txHash !== hashes[index]);
  return place < 0 ? null : `the trace of ${hashes[place]} is that of ${traces[place]?.txHash}`;
}
