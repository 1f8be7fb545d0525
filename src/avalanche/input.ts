import { badInput, quote } from '../errors.js';
import { AddressError, networkOfAddress, parseAddress } from './address.js';
import { isId, isNodeId } from './cb58.js';
import { identityOf, parseBlockchainId } from './identity.js';
import { chainName, networks, parseNetwork, primaryChains } from './networks.js';
import type { Network, PrimaryChain } from './networks.js';

/** Most addresses in one query. */
export const MAX_ADDRESSES = 64;
/** Most in the body of a request, for those who have more of them than an address of a request holds. */
export const MORE_ADDRESSES = 256;

/** @throws AppError BAD_USER_INPUT */
export function readNetwork(name: string, text: string): Network {
  const network = parseNetwork(text);
  if (!network)
    throw badInput(`${name}: ${quote(text)} is not a network; it must be mainnet, fuji or testnet (fuji)`);
  return network;
}

/**
 * @param network undefined if the one that was given is wrong: then a chain of any network is accepted, and
 *   the error names no network
 * @param allowed the chains for which the query works
 * @throws AppError BAD_USER_INPUT
 */
export function readPrimaryChain(
  name: string,
  network: Network | undefined,
  text: string,
  allowed: readonly PrimaryChain[] = primaryChains,
): PrimaryChain {
  for (const each of network ? [network] : networks) {
    const chain = parseBlockchainId(each, text);
    if (chain && allowed.includes(chain)) return chain;
  }
  if (!network) {
    const aliases = allowed.map(chainName).join(', ');
    throw badInput(
      `${name}: ${quote(text)} is not a chain that is allowed here; it must be one of ${aliases}, or its blockchain id on the network`,
    );
  }
  const ids = identityOf(network).blockchainIds;
  const known = allowed.map((each) => `${chainName(each)} (${ids[each]})`);
  throw badInput(
    `${name}: ${quote(text)} is not a chain of ${network} that is allowed here; it must be ${known.join(', ')}`,
  );
}

/**
 * Addresses as replies print them, sorted, each once; empty items are dropped.
 *
 * @param network undefined if the one that was given is wrong: then each address may be one of any network
 * @param most how many of them
 * @throws AppError BAD_USER_INPUT that names every wrong one
 */
export function readAddresses(
  name: string,
  network: Network | undefined,
  items: readonly string[],
  most = MAX_ADDRESSES,
): string[] {
  const given = items.map((item) => item.trim()).filter(Boolean);
  const problems: string[] = [];
  const addresses = new Set<string>();
  for (const item of given.slice(0, 1000)) {
    try {
      addresses.add(parseAddress(network ?? networkOfAddress(item), item));
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      problems.push(`${name}: ${quote(item)} ${error.message}`);
    }
  }
  if (given.length > 1000 || addresses.size > most) {
    problems.push(`${name}: ${given.length} addresses are too many; at most ${most} in one request`);
  }
  if (problems.length > 0) throw badInput(problems);
  return [...addresses].sort();
}

/**
 * A 32-byte id in CB58: a transaction hash, a UTXO id, an asset id, a subnet id.
 *
 * @throws AppError BAD_USER_INPUT
 */
export function readId(name: string, text: string): string {
  if (isId(text)) return text;
  throw badInput(
    `${name}: ${quote(text)} is not an id; it must be 32 bytes in CB58 (base58 with a checksum)`,
  );
}

/**
 * The id of a node as replies print it.
 *
 * @throws AppError BAD_USER_INPUT
 */
export function readNodeId(name: string, text: string): string {
  if (isNodeId(text)) return text;
  throw badInput(`${name}: ${quote(text)} is not a node id; it must be NodeID- and 20 bytes in CB58`);
}
