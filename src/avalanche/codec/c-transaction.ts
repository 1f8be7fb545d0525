import { readFrequentId } from './ids.js';
import { outputTypes } from './outputs.js';
import { readWhole, type ByteReader } from './reader.js';
import { keccakOf, rlpBytes } from './rlp.js';
import { Draft, LEAST_TRANSACTION, type Rules } from './transaction.js';
import type { AtomicTransaction, EvmInput, EvmOutput } from './types.js';

const rules: Rules = {
  outputs: [outputTypes.transfer],
  stakeableInputs: false,
  credentials: { 9: 'secp256k1' },
};

/**
 * The atomic transactions of a C-chain block.
 *
 * @param extData the block's blockExtraData, empty where it has none
 * @param batched whether the block is of Apricot 5 or later: before it extData is one transaction, then a
 *   list
 */
export function decodeAtomicTransactions(extData: Uint8Array, batched: boolean): AtomicTransaction[] {
  if (extData.length === 0) return [];
  if (!batched) return [decodeAtomicTransaction(extData)];
  return readWhole('the atomic transactions', extData, (reader) => {
    reader.version('atomic transactions');
    return reader.list('atomic transactions', LEAST_TRANSACTION, () => readAtomicTransaction(reader));
  });
}

/** One signed atomic transaction, as avax.getAtomicTx gives it. */
export function decodeAtomicTransaction(bytes: Uint8Array): AtomicTransaction {
  return readWhole('the transaction', bytes, (reader) => {
    reader.version('a transaction');
    return readAtomicTransaction(reader);
  });
}

/** What a header commits to for these bytes, from Apricot 1 on: keccak256 of their RLP, 0x and 64 digits. */
export function extDataHash(extData: Uint8Array): string {
  const { buffer, byteOffset, length } = extData;
  return `0x${keccakOf(rlpBytes(Buffer.from(buffer, byteOffset, length).toString('hex')))}`;
}

function readAtomicTransaction(reader: ByteReader): AtomicTransaction {
  const draft = new Draft(reader, rules);
  const type = reader.u32('type of an atomic transaction');
  if (type > 1) return reader.refuse(`an atomic transaction of type 0 or 1, not ${type}`, 4);
  const networkId = reader.u32('network id');
  const blockchainId = readFrequentId(reader, 'blockchain id');
  if (type === 0) {
    const sourceChain = readFrequentId(reader, 'source chain');
    draft.readInputs('imported');
    const evmOutputs = reader.list('EVM outputs', 60, () => readEvmOutput(reader));
    return { ...draft.seal(), networkId, blockchainId, type: 'ImportTx', sourceChain, evmOutputs };
  }
  const destinationChain = readFrequentId(reader, 'destination chain');
  const evmInputs = reader.list('EVM inputs', 68, () => readEvmInput(reader));
  draft.readOutputs('exported');
  return { ...draft.seal(), networkId, blockchainId, type: 'ExportTx', destinationChain, evmInputs };
}

function readEvmOutput(reader: ByteReader): EvmOutput {
  return {
    address: reader.take(20, 'EVM address'),
    amount: reader.u64('amount'),
    assetId: readFrequentId(reader, 'asset id'),
  };
}

function readEvmInput(reader: ByteReader): EvmInput {
  return { ...readEvmOutput(reader), nonce: reader.u64('nonce') };
}
