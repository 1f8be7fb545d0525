import type { GenesisFile } from './genesis-file.js';
import { outputTypes } from './outputs.js';
import { concat, list, sized, u32Bytes, u64Bytes } from './writer.js';

/* What the objects of genesis bytes are made of. */

export const ZERO = new Uint8Array(32);
export const NO_CREDENTIALS = u32Bytes(0);

/** Coins with their owner: an output on the P-chain, or a part of a staker's stake. */
export interface Coins {
  readonly amount: bigint;
  readonly locktime: bigint;
  readonly address: Uint8Array;
}

/** No outputs and no inputs. */
export function base(networkId: number, memo: Uint8Array): Uint8Array {
  return concat([u32Bytes(networkId), ZERO, u32Bytes(0), u32Bytes(0), sized(memo)]);
}

/** A stakeable output where the lock is not over when the network starts. */
export function lockedOutput({ startTime }: GenesisFile, { amount, locktime, address }: Coins): Uint8Array {
  const output = transferOutput(amount, address);
  if (locktime <= startTime) return output;
  return concat([u32Bytes(outputTypes.stakeable), u64Bytes(locktime), output]);
}

export function transferOutput(amount: bigint, address: Uint8Array): Uint8Array {
  return concat([u32Bytes(outputTypes.transfer), u64Bytes(amount), owners(address)]);
}

/** One owner, no locktime. */
export function owners(address: Uint8Array): Uint8Array {
  return concat([u64Bytes(0n), u32Bytes(1), list([address])]);
}

export const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
