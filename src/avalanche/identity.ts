import {
  blockchainIds,
  chainName,
  evmChainIds,
  nativeAssetIds,
  networks,
  primaryChains,
} from './networks.js';
import type { Network, PrimaryChain } from './networks.js';

/** What tells a network from others, as its nodes say it. */
export interface NetworkIdentity {
  networkId: bigint;
  /** The part of an address before its `1`. */
  hrp: string;
  blockchainIds: Readonly<Record<PrimaryChain, string>>;
  nativeAssetId: string;
  /** EVM chain id of the C-chain. */
  evmChainId: bigint;
}

const publicIdentity = (network: Network, networkId: bigint, hrp: string): NetworkIdentity => ({
  networkId,
  hrp,
  evmChainId: BigInt(evmChainIds[network]),
  blockchainIds: blockchainIds[network],
  nativeAssetId: nativeAssetIds[network],
});

export const publicIdentities: Readonly<Record<Network, NetworkIdentity>> = {
  mainnet: publicIdentity('mainnet', 1n, 'avax'),
  fuji: publicIdentity('fuji', 5n, 'fuji'),
};

/*
 * One for the whole process, not a value that is passed on: each address and chain id of a request, a row and
 * a reply is checked with it, in functions that know nothing of a database; and a process has one database.
 * Of two that one process opens, both are read with the identities of the one that was opened last.
 */
let adopted: Readonly<Record<Network, NetworkIdentity>> = publicIdentities;

/**
 * The network that has this name in the database: the public one, or a developer's own that is followed under
 * its name. Ask at each use, because it changes once: when a follower first writes to an empty database. Then
 * it is another object.
 */
export function identityOf(network: Network): NetworkIdentity {
  return adopted[network];
}

/**
 * Makes these the identities of their names from now on; names without one have that of the public network.
 */
export function adoptIdentities(own: Partial<Record<Network, NetworkIdentity>>): void {
  adopted = { ...publicIdentities, ...own };
}

/** The chain that a blockchain id or alias (`p-chain`) names on this network; null for any other. */
export function parseBlockchainId(network: Network, text: string): PrimaryChain | null {
  // An alias is read without the network, which the list of a parent knows only in SQL
  // (execution/bound-arguments.ts).
  const named = primaryChains.find((chain) => text === chainName(chain));
  if (named) return named;
  const ids = adopted[network].blockchainIds;
  return primaryChains.find((chain) => text === ids[chain]) ?? null;
}

/**
 * The part before the `1` of the addresses of an Avalanche network: a constant of the protocol. @param
 * networkId its number
 */
export function hrpOf(networkId: bigint): string {
  return reservedHrps.get(networkId) ?? 'custom';
}

const reservedHrps = new Map([
  ...networks.map((network) => [publicIdentities[network].networkId, publicIdentities[network].hrp] as const),
  ...([
    [2n, 'cascade'],
    [3n, 'denali'],
    [4n, 'everest'],
    [10n, 'testing'],
    [12345n, 'local'],
  ] as const),
]);
