import { evmHeaderHash, l1HeaderHash } from '../../avalanche/codec/evm-header.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { Block } from '../pipeline.js';

/** A block of an EVM chain whose header has its hash: what its pipelines have in common. */
export interface ProvedHead extends Omit<Block, 'size' | 'source'> {
  readonly time: number;
  /** Hashes of its transactions, 0x…, in order. */
  readonly hashes: readonly string[];
}

/** Root of the tree of no transactions: keccak256 of the RLP of an empty text. */
const NO_TRANSACTIONS = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** Whose header it is: the C-chain's, or that of any other EVM chain. */
export type HeaderOf = 'c-chain' | 'l1';

/** What a header says of its block, under the hash that its fields have. */
export const headOf = ({ header }: Pick<EvmBlock, 'header'>, of: HeaderOf): Omit<ProvedHead, 'hashes'> => ({
  height: BigInt(header.number),
  id: of === 'c-chain' ? evmHeaderHash(header) : l1HeaderHash(header),
  parent: header['parentHash'] as string,
  time: Number(header['timestamp']),
  mayEndBatch: true,
});

export const readHead = (block: EvmBlock, of: HeaderOf): ProvedHead => ({
  hashes: block.transactions,
  ...headOf(block, of),
});

/** Why a block that was read has not this height, or not the hash that it names, or null. */
export function identityFault(
  { header }: Pick<EvmBlock, 'header'>,
  height: bigint,
  { height: given, id }: Pick<ProvedHead, 'height' | 'id'>,
): string | null {
  if (given !== height) return `it is block ${given}, not ${height}`;
  return id === header.hash ? null : `the hash of block ${height} is not that of its header, ${id}`;
}

/** Why a block that was read cannot be that of this height, or null. */
export function headFault(block: EvmBlock, height: bigint, head: ProvedHead): string | null {
  const fault = identityFault(block, height, head);
  if (fault !== null) return fault;
  const { length } = head.hashes;
  const isEmpty = block.header['transactionsRoot'] === NO_TRANSACTIONS;
  if (isEmpty === (length === 0)) return null;
  return `block ${height} has ${length} transactions, which its header contradicts`;
}
