import { decodeCb58 } from '../../avalanche/cb58.js';
import { decodeUtxo } from '../../avalanche/codec/outputs.js';
import type { OutputOwners, Utxo } from '../../avalanche/codec/types.js';

/** Codec version, transaction id, output index, asset id, type, amount, locktime, threshold, owner count. */
const FIXED_BYTES = 2 + 32 + 4 + 32 + 4 + 8 + 8 + 4 + 4;
const ADDRESS_BYTES = 20;
/** The codec's type id of a secp256k1 transfer output. */
const TRANSFER_OUTPUT = 7;

/** An output that nodes make, and no block has: a reward, or what was left of an L1 validator's balance. */
export function madeOutput(
  { txId, outputIndex }: Pick<Utxo, 'txId' | 'outputIndex'>,
  assetId: string,
  amount: bigint,
  { locktime, threshold, addresses }: OutputOwners,
): Utxo {
  const bytes = new Uint8Array(FIXED_BYTES + ADDRESS_BYTES * addresses.length);
  const view = new DataView(bytes.buffer);
  bytes.set(idBytes(txId), 2);
  view.setUint32(34, outputIndex);
  bytes.set(idBytes(assetId), 38);
  view.setUint32(70, TRANSFER_OUTPUT);
  view.setBigUint64(74, amount);
  view.setBigUint64(82, locktime);
  view.setUint32(90, threshold);
  view.setUint32(94, addresses.length);
  for (const [index, address] of addresses.entries()) bytes.set(address, FIXED_BYTES + ADDRESS_BYTES * index);
  return decodeUtxo(bytes);
}

function idBytes(id: string): Uint8Array {
  const bytes = decodeCb58(id);
  if (bytes?.length !== 32) throw new Error(`${id} is no id`);
  return bytes;
}
