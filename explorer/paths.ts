/** The addresses of pages. Ids go into them whole and encoded. */
const path = (...parts: (string | number)[]) =>
  ['/explore', ...parts.map((part) => encodeURIComponent(part))].join('/');

/** Id of the P-chain on every network; also stands for the transaction of outputs that genesis made. */
const ZERO_ID = '11111111111111111111111111111111LpoYY';
/** A page below one of an EVM chain; none where the chain is not known, whose id is 0 then. */
const evmPath = (network: string, chain: string, ...parts: string[]) =>
  chain === '0' ? undefined : path(network, 'evm', chain, ...parts);

/** Whether a hash is that of no transaction: outputs of the genesis name it as their creator. */
export const isGenesis = (txHash: string) => txHash === ZERO_ID;

export const networkPath = (network: string) => path(network);
/** None for what genesis made: no transaction did. @param chain its alias, or its id */
export const transactionPath = (network: string, chain: string, hash: string) =>
  isGenesis(hash) ? undefined : path(network, chain === ZERO_ID ? 'p-chain' : chain, 'transactions', hash);
export const blockPath = (network: string, chain: string, number: string) =>
  path(network, chain, 'blocks', number);
export const blocksPath = (network: string, chain: string) => path(network, chain, 'blocks');
export const transactionsPath = (network: string, chain: string) => path(network, chain, 'transactions');
export const verticesPath = (network: string) => path(network, 'vertices');
export const vertexPath = (network: string, vertex: string) => path(network, 'vertices', vertex);
/** A blockchain of a subnet: of an EVM chain that is indexed, its page; otherwise what its creation says. */
export const blockchainPath = (network: string, blockchain: string) =>
  path(network, 'blockchains', blockchain);
export const addressPath = (network: string, address: string) => path(network, 'addresses', address);
export const assetPath = (network: string, asset: string) => path(network, 'assets', asset);
export const validatorPath = (network: string, node: string) => path(network, 'validators', node);
export const subnetPath = (network: string, subnet: string) => path(network, 'subnets', subnet);
export const l1ValidatorPath = (network: string, validation: string) =>
  path(network, 'l1-validators', validation);
export const messagePath = (network: string, message: string) => path(network, 'messages', message);
export const evmChainPath = (network: string, chain: string) => evmPath(network, chain);
export const evmAddressPath = (network: string, chain: string, address: string) =>
  evmPath(network, chain, 'addresses', address);
export const evmTransactionPath = (network: string, chain: string, hash: string) =>
  evmPath(network, chain, 'transactions', hash);
export const nftCollectionPath = (network: string, chain: string, collection: string) =>
  evmPath(network, chain, 'nfts', collection);
export const nftTokenPath = (network: string, chain: string, collection: string, token: string) =>
  evmPath(network, chain, 'nfts', collection, token);
export const statusPath = (network: string) => path(network, 'status');

/** Pages that list all things of a kind on a network. */
export const directories = {
  validators: 'Validators',
  subnets: 'Subnets',
  'l1-validators': 'L1 validators',
  assets: 'Assets',
  messages: 'Messages',
  evm: 'EVM chains',
} as const;
export const directoryPath = (network: string, kind: keyof typeof directories) => path(network, kind);

export const searchPath = (network: string, text: string) =>
  `${path(network, 'search')}?text=${encodeURIComponent(text)}`;

/** @param question as JSON */
export const compositePath = (network: string, question?: string) =>
  question ? `${path(network, 'composite')}?ask=${encodeURIComponent(question)}` : path(network, 'composite');

/**
 * A list of the REST API.
 *
 * @param parts of its path
 * @param query its other parameters; those that are undefined are left out
 */
export function restList(
  parts: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/v1/${parts.map(encodeURIComponent).join('/')}?${new URLSearchParams(given).toString()}`;
}

/** A list of what an address has on a chain, in the REST API. @param chain its letter */
export const chainListOf = (
  network: string,
  address: string,
  chain: string,
  list: string,
  more: Readonly<Record<string, string>> = {},
) => restList(['networks', network, 'blockchains', `${chain}-chain`, list], { addresses: address, ...more });

/** L1 validators of now in the REST API. @param isAll whether those are in it too whose balance is spent */
export const l1ValidatorList = (network: string, subnetId: string | undefined, isAll: boolean) =>
  restList(['networks', network, 'l1Validators'], {
    subnetId,
    includeInactiveL1Validators: String(isAll),
  });

/** Stakes of validators in the REST API. */
export const stakeList = (network: string, query: Readonly<Record<string, string | undefined>>) =>
  restList(['networks', network, 'validators'], query);

/** GraphiQL with a document and its variables. */
export const graphiqlPath = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;

export type NetworkName = 'mainnet' | 'fuji';

/** The network that an EVM chain belongs to. @param otherwise of one that is not indexed */
export const networkOfEvm = (
  chain: { isTestnet: boolean } | null | undefined,
  otherwise: NetworkName,
): NetworkName => (chain ? (chain.isTestnet ? 'fuji' : 'mainnet') : otherwise);

/** The network that a part of an address names. */
export const networkOf = (name: string | undefined): NetworkName => (name === 'mainnet' ? 'mainnet' : 'fuji');
