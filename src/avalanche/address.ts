import { bech32 } from '@scure/base';
import { identityOf } from './identity.js';
import { networks, type Network } from './networks.js';

const ADDRESS_BYTES = 20;
const CHAIN_PREFIX = /^[PXC]-/;

/** Why a text is not an address of a network, for people. */
export class AddressError extends Error {}

/**
 * Reads a P-, X- or C-chain address of a network, with or without the chain's prefix (`P-avax1…`).
 *
 * @param network null for a text that begins like an address of none
 * @returns the address without chain prefix, in lower case, as replies print it
 * @throws AddressError that says what is wrong with it
 */
export function parseAddress(network: Network | null, text: string): string {
  const bare = text.replace(CHAIN_PREFIX, '');
  if (!network) {
    const parts = networks.map((each) => `${identityOf(each).hrp}1`);
    throw new AddressError(`begins with neither ${parts.join(' nor ')}, as addresses do`);
  }
  const expected = identityOf(network).hrp;
  if (hrpIn(bare) !== expected)
    throw new AddressError(`does not begin with ${expected}1, as addresses of ${network} do`);
  const decoded = bech32.decodeUnsafe(bare);
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words);
  if (!decoded || !bytes) throw new AddressError('has a wrong bech32 checksum');
  if (bytes.length !== ADDRESS_BYTES)
    throw new AddressError(`has ${bytes.length} bytes instead of ${ADDRESS_BYTES}`);
  return bare.toLowerCase();
}

/** The network whose addresses begin like this text, whether it is one or not; null for none. */
export function networkOfAddress(text: string): Network | null {
  const hrp = hrpIn(text.replace(CHAIN_PREFIX, ''));
  return networks.find((network) => identityOf(network).hrp === hrp) ?? null;
}

/** @param bare without the chain's prefix */
const hrpIn = (bare: string) => bare.slice(0, bare.lastIndexOf('1')).toLowerCase();

/** The address of 20 key-hash bytes on a network, without chain prefix. */
export function formatAddress(network: Network, bytes: Uint8Array): string {
  return bech32.encode(identityOf(network).hrp, bech32.toWords(bytes));
}

/** The 20 bytes of an address without chain prefix that parseAddress has accepted. */
export function addressBytes(address: string): Uint8Array {
  return bech32.fromWords(bech32.decode(address as `${string}1${string}`).words);
}
