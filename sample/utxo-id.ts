import { sha256 } from '@noble/hashes/sha2.js';
import { encodeCb58 } from '../src/avalanche/cb58.js';

/**
 * The id of the output at `outputIndex` of a transaction: CB58 of the SHA-256 of the index (uint64, big-endian)
 * followed by the transaction id (docs/contract.md, "UTXOs").
 *
 * @param txId the 32 bytes of the transaction id
 */
export function utxoId(txId: Uint8Array, outputIndex: number | bigint): string {
  const preimage = new Uint8Array(8 + txId.length);
  new DataView(preimage.buffer).setBigUint64(0, BigInt(outputIndex));
  preimage.set(txId, 8);
  return encodeCb58(sha256(preimage));
}
