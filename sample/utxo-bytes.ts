import { withChecksum } from '../src/avalanche/cb58.js';

const CODEC_VERSION = 0;
const TRANSFER_OUTPUT_TYPE = 7;
const STAKEABLE_LOCK_TYPE = 0x16;

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
 * An output as the platform serializes it: `0x`, the hex of codec version, transaction id, index, asset id and
 * output, and the last 4 bytes of their SHA-256 (docs/contract.md, "UTXOs").
 */
export function utxoBytes(output: TransferOutput): string {
  const lockBytes = output.stakeableLocktime === undefined ? 0 : 12;
  const bytes = Buffer.alloc(2 + 32 + 4 + 32 + lockBytes + 28 + 20 * output.addresses.length);
  let end = bytes.writeUInt16BE(CODEC_VERSION, 0);
  bytes.set(output.txId, end);
  end = bytes.writeUInt32BE(output.outputIndex, end + 32);
  bytes.set(output.assetId, end);
  end += 32;
  if (output.stakeableLocktime !== undefined) {
    end = bytes.writeUInt32BE(STAKEABLE_LOCK_TYPE, end);
    end = bytes.writeBigUInt64BE(output.stakeableLocktime, end);
  }
  end = bytes.writeUInt32BE(TRANSFER_OUTPUT_TYPE, end);
  end = bytes.writeBigUInt64BE(output.amount, end);
  end = bytes.writeBigUInt64BE(output.locktime, end);
  end = bytes.writeUInt32BE(output.threshold, end);
  end = bytes.writeUInt32BE(output.addresses.length, end);
  output.addresses.forEach((address, position) => bytes.set(address, end + 20 * position));
  return `0x${Buffer.from(withChecksum(bytes)).toString('hex')}`;
}
