import { formatAddress } from '../src/avalanche/address.js';
import { shortHashOf } from './ids.js';

/** Who may spend an output: any `threshold` of the addresses together. */
export interface Owner {
  name: string;
  /** Bech32 without chain prefix, in the order in which an output holds them. */
  addresses: string[];
  /** The 20 bytes of each address. */
  keyHashes: Uint8Array[];
  threshold: number;
}

/** An owner made of the keys of these names; outputs sort their owners by bytes. */
export function ownerOf(keyNames: readonly string[], threshold = 1): Owner {
  const keyHashes = keyNames.map((name) => shortHashOf(`key ${name}`)).sort((a, b) => Buffer.compare(a, b));
  const addresses = keyHashes.map((bytes) => formatAddress('fuji', bytes));
  return { name: keyNames.join('+'), addresses, keyHashes, threshold };
}

const WALLETS = 48;

export interface Owners {
  /** Receives several hundred outputs, so that its list has many pages. */
  busy: Owner;
  wallets: Owner[];
  /** Two of three keys. */
  multisigs: Owner[];
}

export function makeOwners(): Owners {
  return {
    busy: ownerOf(['exchange']),
    wallets: Array.from({ length: WALLETS }, (_, index) => ownerOf([`wallet ${index}`])),
    multisigs: [0, 1, 2].map((index) => ownerOf([`treasurer ${index}`, `auditor ${index}`, 'board'], 2)),
  };
}
