import { evmHeaderHash, l1HeaderHash } from '../../avalanche/codec/evm-header.js';
import { readTransaction, transactionHash, transactionsRoot } from '../../avalanche/codec/evm-transaction.js';
import type { EncodedTransaction, EvmTransaction } from '../../avalanche/codec/evm-transaction.js';
import type { Answer, EachOptions } from '../node/apis.js';
import type { EvmApi, EvmBlock } from '../node/evm-apis.js';
import { proved } from '../node/proof.js';
import type { Block } from '../pipeline.js';

/** The header of a block of an EVM chain, which has its hash: what its pipelines have in common. */
export interface BlockHead extends Omit<Block, 'size' | 'source'> {
  readonly time: number;
  /** What its transactions used; null where they are run later (ACP-194). */
  readonly gasUsed: bigint | null;
  /** In wei; null of a block without one. */
  readonly baseFee: bigint | null;
}

/** The same with its transactions. */
export interface ProvedHead extends BlockHead {
  /** In order. */
  readonly transactions: readonly EvmTransaction[];
}

/** The same before it is proved. */
interface ReadHead extends BlockHead {
  readonly transactions: readonly EncodedTransaction[];
}

/** Whose header it is: the C-chain's, or that of any other EVM chain. */
export type HeaderOf = 'c-chain' | 'l1';

/** What a header says of its block, under the hash that its fields have. */
export const headOf = ({ header }: Pick<EvmBlock, 'header'>, of: HeaderOf): BlockHead => ({
  height: BigInt(header.number),
  id: of === 'c-chain' ? evmHeaderHash(header) : l1HeaderHash(header),
  parent: header['parentHash'] as string,
  time: Number(header['timestamp']),
  gasUsed: (header['settledHeight'] ?? null) === null ? numberOrNull(header['gasUsed']) : null,
  baseFee: numberOrNull(header['baseFeePerGas']),
  mayEndBatch: true,
});

const numberOrNull = (digits: string | null = null) => (digits === null ? null : BigInt(digits));

export const readHead = (block: EvmBlock, of: HeaderOf): ReadHead => ({
  transactions: block.bodies.map(readTransaction),
  ...headOf(block, of),
});

/** What is proved of a block, without the bytes that prove it: they are nearly as much once more. */
export const withoutProof = ({ transactions, ...head }: ReadHead): ProvedHead => ({
  ...head,
  transactions: transactions.map(({ encoded: _, ...transaction }) => transaction),
});

/** Its transactions' hashes, 0x…, in order. */
export const hashesOf = ({ transactions }: Pick<ProvedHead, 'transactions'>): string[] =>
  transactions.map(({ hash }) => hash);

/** Why a block that was read has not this height, or not the hash that it names, or null. */
export function identityFault(
  { header }: Pick<EvmBlock, 'header'>,
  height: bigint,
  { height: given, id }: Pick<ProvedHead, 'height' | 'id'>,
): string | null {
  if (given !== height) return `it is block ${given}, not ${height}`;
  return id === header.hash ? null : `the hash of block ${height} is not that of its header, ${id}`;
}

/** Reads what the header of the block of a height says, for the node client. */
export const headReader =
  (of: HeaderOf) =>
  (block: Pick<EvmBlock, 'header'>, height: bigint): BlockHead =>
    proved(
      `block ${height}`,
      () => headOf(block, of),
      (head) => identityFault(block, height, head),
    );

/** The hashes, computed, of the blocks that endpoints have at a height. */
export function idsOfEach(
  evm: Pick<EvmApi, 'blockOfEach'>,
  of: HeaderOf,
  height: bigint,
  options: EachOptions,
): Promise<Answer<string>[]> {
  const read = headReader(of);
  return evm.blockOfEach(height, { ...options, read: (block, at) => read(block, at).id });
}

/** Why a block that was read cannot be that of this height with its transactions, or null. */
export const headFault = (block: EvmBlock, height: bigint, head: ReadHead, of: HeaderOf): string | null =>
  identityFault(block, height, head) ??
  transactionsFault(head, block.header['transactionsRoot']?.toLowerCase(), of);

/** Why transactions cannot be those of a block whose header has this root, or null. */
function transactionsFault(
  { height, transactions }: ReadHead,
  root: string | undefined,
  of: HeaderOf,
): string | null {
  const known = transactions.flatMap(({ encoded }) => encoded ?? []);
  if (known.length < transactions.length) {
    if (of === 'c-chain') return `block ${height} has a transaction of a type that the C-chain does not have`;
    // Chains may have types of their own, whose bytes nobody can compute without them.
    return null;
  }
  if (transactionsRoot(known) !== root)
    return `block ${height} has ${transactions.length} transactions, which its header contradicts`;
  const wrong = transactions.find(({ hash }, index) => transactionHash(known[index]!) !== hash);
  return wrong === undefined ? null : `the hash of a transaction of block ${height} is not ${wrong.hash}`;
}
