import { withChecksum } from '../src/avalanche/cb58.js';
import { outputTypes } from '../src/avalanche/codec/outputs.js';
import { concat, list, u32Bytes, u64Bytes } from '../src/avalanche/codec/writer.js';
import { toHex } from '../src/avalanche/hex.js';

const CODEC_VERSION = new Uint8Array(2);

/** A secp256k1 transfer output and the place where it was created. */
export interface TransferOutput {
  /** 32 bytes. */
  txId: Uint8Array;
  outputIndex: number;
  /** 32 bytes. */
  assetId: Uint8Array;
  /** In the asset's smallest unit. */
  amount: bigint;
  /** Unix seconds before which the output cannot be spent; 0 for none. */
  locktime: bigint;
  threshold: number;
  /** Owners, 20 bytes each. */
  addresses: readonly Uint8Array[];
  /** Unix seconds before which the output can only be staked; wraps the output in a stakeable lock. */
  stakeableLocktime?: bigint;
}

/**
 * An output as the platform serializes it: `0x`, the hex of codec version, transaction id, index, asset id
 * and output, and the last 4 bytes of their SHA-256 (docs/contract.md, "UTXOs").
 */
export function utxoBytes(output: TransferOutput): string {
  const { txId, outputIndex, assetId, amount, locktime, threshold, addresses, stakeableLocktime } = output;
  const owners = concat([u64Bytes(locktime), u32Bytes(threshold), list(addresses)]);
  const transfer = concat([u32Bytes(outputTypes.transfer), u64Bytes(amount), owners]);
  const typed =
    stakeableLocktime === undefined
      ? transfer
      : concat([u32Bytes(outputTypes.stakeable), u64Bytes(stakeableLocktime), transfer]);
  return toHex(withChecksum(concat([CODEC_VERSION, txId, u32Bytes(outputIndex), assetId, typed])));
}
