import { AddressError, parseAddress } from '../../avalanche/address.js';
import type { Network } from '../../avalanche/networks.js';

/** An address of a network as resolvers see it, stored or not. */
export interface AddressNode {
  network: Network;
  /** Without chain prefix, in lower case. */
  address: string;
}

/** Null for a text that is no address of the network. */
export function toAddressNode(network: Network, text: string): AddressNode | null {
  try {
    return { network, address: parseAddress(network, text) };
  } catch (error) {
    if (error instanceof AddressError) return null;
    throw error;
  }
}
