/** The addresses of pages. Ids go into them whole and encoded. */
const path = (...parts: (string | number)[]) =>
  ['/explore', ...parts.map((part) => encodeURIComponent(part))].join('/');

/** Whether a hash is that of no transaction: outputs of the genesis name it as their creator. */
export const isGenesis = (txHash: string) => txHash === '11111111111111111111111111111111LpoYY';

export const networkPath = (network: string) => path(network);
export const transactionPath = (network: string, chain: string, hash: string) =>
  path(network, chain, 'transactions', hash);
export const blockPath = (network: string, chain: string, number: string) =>
  path(network, chain, 'blocks', number);
export const addressPath = (network: string, address: string) => path(network, 'addresses', address);
export const assetPath = (network: string, asset: string) => path(network, 'assets', asset);
export const validatorPath = (network: string, node: string) => path(network, 'validators', node);
export const subnetPath = (network: string, subnet: string) => path(network, 'subnets', subnet);
export const l1ValidatorPath = (network: string, validation: string) =>
  path(network, 'l1-validators', validation);
export const messagePath = (network: string, message: string) => path(network, 'messages', message);
export const evmChainPath = (network: string, chain: string) => path(network, 'evm', chain);
export const evmAddressPath = (network: string, chain: string, address: string) =>
  path(network, 'evm', chain, 'addresses', address);
export const evmTransactionPath = (network: string, chain: string, hash: string) =>
  path(network, 'evm', chain, 'transactions', hash);
export const nftCollectionPath = (network: string, chain: string, collection: string) =>
  path(network, 'evm', chain, 'nfts', collection);
export const nftTokenPath = (network: string, chain: string, collection: string, token: string) =>
  path(network, 'evm', chain, 'nfts', collection, token);
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

/** GraphiQL with a document and its variables. */
export const graphiqlPath = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;

export type NetworkName = 'mainnet' | 'fuji';

/** The network that a part of an address names. */
export const networkOf = (name: string | undefined): NetworkName => (name === 'mainnet' ? 'mainnet' : 'fuji');
