/**
 * A block as the dumper of SQD writes it: what `eth_getBlockByNumber` says with transactions, each of which
 * has its receipt and what `debug_traceBlockByNumber` says of it, as far as these were asked for
 * (https://github.com/subsquid/squid-sdk, evm/evm-normalization/src/raw.ts).
 */
export interface DumpedBlock extends Readonly<Record<string, unknown>> {
  readonly transactions: readonly Readonly<Record<string, unknown>>[];
}

/** @throws Error for what is no block */
export function dumpedBlock(line: string): DumpedBlock {
  const { logs_, unknownTraceReplays_, ...block } = JSON.parse(line) as Record<string, unknown>;
  // What a dump without receipts, or with traces of another kind, has instead.
  void [logs_, unknownTraceReplays_];
  const { transactions } = block;
  const isObject = (each: unknown) => typeof each === 'object' && each !== null;
  if (!Array.isArray(transactions) || !transactions.every(isObject))
    throw new Error('its transactions are not a list of objects');
  return block as DumpedBlock;
}

/** What the dump has of each transaction of a block; null where it was not asked for. */
export function ofEach<T>(
  { transactions }: DumpedBlock,
  member: 'receipt_' | 'debugFrame_',
  use: (given: readonly unknown[]) => T,
): T | null {
  const all = transactions.map((each) => each[member]);
  return all.includes(undefined) ? null : use(all);
}
