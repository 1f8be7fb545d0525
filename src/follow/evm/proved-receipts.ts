import { mayHave, type BloomBits } from '../../avalanche/codec/bloom.js';
import { readReceipt, receiptsRoot } from '../../avalanche/codec/evm-receipt.js';
import type { EncodedReceipt, EvmReceipt } from '../../avalanche/codec/evm-receipt.js';
import type { EvmBlock } from '../node/evm-apis.js';
import { NodeError } from '../node/error.js';
import type { EvmNodes } from '../node/nodes.js';
import type { MissingTransactions } from '../pipeline.js';
import { proved } from '../node/proof.js';
import { hashesOf, type ProvedHead } from './proved-head.js';

/** Groups of topics and addresses: a log that counts has one of each group. */
export type WantedLog = readonly (readonly BloomBits[])[];

/**
 * Whether a block can have a log that counts, by the filter of its header. That of a chain that runs
 * transactions later (ACP-194) is of other blocks.
 *
 * @param wanted which logs count: those that any of these describes
 */
export function mayLog(
  { header, transactions }: Pick<EvmBlock, 'header' | 'transactions'>,
  wanted: readonly WantedLog[],
): boolean {
  const { logsBloom, settledHeight = null } = header;
  if (settledHeight !== null) return transactions.length > 0;
  const bloom = Buffer.from(logsBloom?.slice(2) ?? '', 'hex');
  return wanted.some((groups) => groups.every((group) => mayHave(bloom, group)));
}

export interface Receipts {
  readonly receipts: readonly EvmReceipt[];
  /** All transactions if every node refuses the receipts, and gives those of other blocks; otherwise null. */
  readonly missing: MissingTransactions | null;
}

interface AskedReceipts extends Pick<ProvedHead, 'height' | 'transactions'> {
  /** By the header; null where it has the root of other blocks. */
  readonly receiptsRoot: string | null;
}

/** The receipts of a block, whose root is that of its header. @throws NodeError */
export async function provedReceipts(
  { evm }: Pick<EvmNodes, 'evm'>,
  { height, transactions, receiptsRoot: root }: AskedReceipts,
  signal: AbortSignal,
): Promise<Receipts> {
  const hashes = hashesOf({ transactions });
  const read = (receipts: readonly unknown[]) =>
    proved(
      `the receipts of block ${height}`,
      () => receipts.map(readReceipt),
      (given) => receiptsFault(given, hashes, root),
      // The bytes that prove them are as much once more.
    ).map(({ encoded: _, ...receipt }) => receipt);
  try {
    return { receipts: (await evm.receipts(height, { signal, read })).value, missing: null };
  } catch (error) {
    if (!(error instanceof NodeError && error.failureClass === 'refused')) throw error;
    return { receipts: [], missing: { transactions: hashes, reason: error.message } };
  }
}

/** Why receipts cannot be those of a block, or null. */
function receiptsFault(
  receipts: readonly EncodedReceipt[],
  hashes: readonly string[],
  root: string | null,
): string | null {
  if (receipts.length !== hashes.length)
    return `${receipts.length} receipts were given for its ${hashes.length} transactions`;
  const given = root === null ? null : receiptsRoot(receipts);
  if (given !== root) return `their root is ${given}, and its header says ${root}`;
  const index = receipts.findIndex(({ transactionHash }, at) => transactionHash !== hashes[at]);
  return index < 0 ? null : `the receipt of ${hashes[index]} is that of ${receipts[index]?.transactionHash}`;
}
