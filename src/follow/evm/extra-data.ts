import {
  decodeAtomicTransaction,
  decodeAtomicTransactions,
  extDataHash,
} from '../../avalanche/codec/c-transaction.js';
import type { AtomicTransaction } from '../../avalanche/codec/types.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { Nodes } from '../node/nodes.js';
import { proved } from '../node/proof.js';
import type { ForkTimes } from '../network/node-facts.js';
import type { ProvedHead } from './proved-head.js';

/** The extra data of a block of the C-chain. */
export interface ExtraData {
  readonly transactions: readonly AtomicTransaction[];
  /** Whether the header commits to them. */
  readonly isCommitted: boolean;
}

const ZERO_HASH = `0x${'0'.repeat(64)}`;

/** @param time of the block, Unix seconds @throws CodecError for bytes that are no atomic transactions */
export function readExtraData(
  { header, extraData }: Pick<EvmBlock, 'header' | 'extraData'>,
  time: number,
  { apricotPhase5Time }: Pick<ForkTimes, 'apricotPhase5Time'>,
): ExtraData {
  const said = header['extDataHash'];
  return {
    transactions: decodeAtomicTransactions(extraData, time >= apricotPhase5Time),
    // The genesis has no extra data, and a hash of zeros.
    isCommitted: said === extDataHash(extraData) || (extraData.length === 0 && said === ZERO_HASH),
  };
}

/** Why extra data cannot be that of its block, or null. */
export function extraDataFault(
  { isCommitted, height, time }: ExtraData & Pick<ProvedHead, 'height' | 'time'>,
  { apricotPhase1Time }: Pick<ForkTimes, 'apricotPhase1Time'>,
): string | null {
  return isCommitted || time < apricotPhase1Time
    ? null
    : `the extra data of block ${height} has another hash than its header says`;
}

/** Before Apricot 1 headers do not commit to their atomic transactions: the node must know them by id. */
export async function proveById(
  { avax }: Pick<Nodes, 'avax'>,
  { height, transactions }: Pick<ExtraData, 'transactions'> & Pick<ProvedHead, 'height'>,
  signal: AbortSignal,
): Promise<void> {
  for (const { id } of transactions) {
    const read = (answer: { readonly bytes: Uint8Array; readonly height: bigint | null }) =>
      proved(
        `atomic transaction ${id}`,
        () => ({ given: decodeAtomicTransaction(answer.bytes).id, known: answer.height }),
        ({ given, known }) =>
          given === id && known === height
            ? null
            : `atomic transaction ${id} is not in block ${height} of the C-chain`,
      );
    await avax.atomicTransaction(id, { signal, read });
  }
}
