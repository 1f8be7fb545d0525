/** The networks that Moraine knows. `testnet` is accepted as another name of fuji. */
export type Network = 'mainnet' | 'fuji';
/** A chain of the primary network. */
export type PrimaryChain = 'p' | 'x' | 'c';
/** The name of a primary network chain as the API writes it. */
export type ChainName = 'p-chain' | 'x-chain' | 'c-chain';

export const networks: readonly Network[] = ['mainnet', 'fuji'];
/** The network of an EVM chain. */
export const networkOf = (isTestnet: boolean): Network => (isTestnet ? 'fuji' : 'mainnet');
export const primaryChains: readonly PrimaryChain[] = ['p', 'x', 'c'];

/** Blockchain id of each chain of the public networks (docs/contract.md, "Blockchain ids"). */
export const blockchainIds: Readonly<Record<Network, Readonly<Record<PrimaryChain, string>>>> = {
  mainnet: {
    p: '11111111111111111111111111111111LpoYY',
    x: '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
    c: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
  },
  fuji: {
    p: '11111111111111111111111111111111LpoYY',
    x: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
    c: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
  },
};

/** EVM chain id of their C-chains. */
export const evmChainIds: Readonly<Record<Network, number>> = { mainnet: 43114, fuji: 43113 };

/** Asset id of AVAX on the public networks. */
export const nativeAssetIds: Readonly<Record<Network, string>> = {
  mainnet: 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z',
  fuji: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
};

export const nativeAsset = { name: 'Avalanche', symbol: 'AVAX', denomination: 9, type: 'secp256k1' } as const;

/** The network that a path or argument names; null for an unknown one. */
export function parseNetwork(text: string): Network | null {
  if (text === 'testnet') return 'fuji';
  return text === 'mainnet' || text === 'fuji' ? text : null;
}

export function chainName(chain: PrimaryChain): ChainName {
  return `${chain}-chain`;
}
