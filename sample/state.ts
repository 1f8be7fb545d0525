import type { StoredOwner } from '../src/state/owner.js';
import type { Owner } from './owners.js';

/** An owner as the P-chain's state has it. */
export const storedOwnerOf = ({ threshold, keyHashes }: Owner): StoredOwner => ({
  threshold,
  addresses: keyHashes.map((bytes) => Buffer.from(bytes).toString('hex')),
});
