import { hash } from 'node:crypto';
import { encodeCb58 } from '../cb58.js';
import { toHex } from '../hex.js';
import type { ByteReader } from './reader.js';

const ID_BYTES = 32;
const NODE_ID_BYTES = 20;

/** CB58 of 32 zero bytes: the P-chain, the primary network, and the transaction of P genesis outputs. */
export const ZERO_ID = '11111111111111111111111111111111LpoYY';

/** The transaction, block or vertex id of bytes: their sha256 in CB58. */
export function idOf(bytes: Uint8Array): string {
  return encodeCb58(sha256(bytes));
}

export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}

/** Id of an output in CB58: sha256(u64 output index ‖ transaction id) (docs/contract.md). */
export function utxoIdOf(txId: Uint8Array, outputIndex: number): string {
  outputName.writeUInt32BE(outputIndex, 4);
  outputName.set(txId, 8);
  return idOfOutputName();
}

/** Reused for each id, which takes a third of the time. */
const outputName = Buffer.alloc(8 + ID_BYTES);

// Asked for where an output is read, where its row is proved, and both again where it is spent.
const MOST_OUTPUTS = 20_000;
const outputIds = new Map<string, string>();

function idOfOutputName(): string {
  const key = outputName.toString('latin1', 4);
  const known = outputIds.get(key);
  if (known !== undefined) return known;
  const id = idOf(outputName);
  if (outputIds.size >= MOST_OUTPUTS) outputIds.clear();
  outputIds.set(key, id);
  return id;
}

/** The same of a transaction id whose bytes are a latin1 text. */
export function utxoIdOfText(txId: string, outputIndex: number): string {
  outputName.writeUInt32BE(outputIndex, 4);
  outputName.write(txId, 8, 'latin1');
  return idOfOutputName();
}

/** Id of a first validator of an L1: sha256(subnet id ‖ u32 index), CB58. */
export function firstValidationId(subnetId: Uint8Array, index: number): string {
  const named = new Uint8Array(ID_BYTES + 4);
  named.set(subnetId);
  new DataView(named.buffer).setUint32(ID_BYTES, index);
  return idOf(named);
}

/** `NodeID-…` of 20 bytes; hexadecimal digits of any other number, which no node accepts. */
export function nodeIdOf(bytes: Uint8Array): string {
  if (bytes.length === NODE_ID_BYTES) return `NodeID-${encodeCb58(bytes)}`;
  return toHex(bytes);
}

export function readIdBytes(reader: ByteReader, what: string): Uint8Array {
  return reader.take(ID_BYTES, what);
}

/** A 32-byte id that is seldom seen twice, such as a transaction's. */
export function readId(reader: ByteReader, what: string): string {
  return encodeCb58(readIdBytes(reader, what));
}

export function readNodeId(reader: ByteReader, what: string): string {
  return nodeIdOf(reader.take(NODE_ID_BYTES, what));
}

// Assets, chains and subnets come again and again, and base58 takes longer than all else of an output.
const MOST_KNOWN = 4096;
const known = new Map<string, string>();

/** The CB58 of an asset's, chain's or subnet's id. */
export function frequentId(bytes: Uint8Array): string {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  let id = known.get(key);
  if (id === undefined) {
    id = encodeCb58(bytes);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, id);
  }
  return id;
}

export function readFrequentId(reader: ByteReader, what: string): string {
  return frequentId(readIdBytes(reader, what));
}
