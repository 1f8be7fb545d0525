import type { OutputOwners } from '../avalanche/codec/types.js';

/** Who will own an output that the state may make later, in JSON. */
export interface StoredOwner {
  /** Unix seconds in digits; absent: none. */
  readonly locktime?: string;
  readonly threshold: number;
  /** 20 bytes each in hex without 0x. */
  readonly addresses: readonly string[];
}

export const storedOwner = ({ locktime, threshold, addresses }: OutputOwners): StoredOwner => ({
  ...(locktime === 0n ? {} : { locktime: locktime.toString() }),
  threshold,
  addresses: addresses.map((address) => Buffer.from(address).toString('hex')),
});

export const spendingOwner = ({ locktime, threshold, addresses }: StoredOwner): OutputOwners => ({
  locktime: BigInt(locktime ?? 0),
  threshold,
  addresses: addresses.map((address) => Buffer.from(address, 'hex')),
});
