// Does each line of work by the client that @hey-api/openapi-ts makes, which checks requests and replies with zod, and prints
// how many rows it read.
import { client } from './api/client.gen.js';
import * as api from './api/sdk.gen.js';
import { work, type Given } from './work.js';

client.setConfig({ baseUrl: process.argv[2] ?? '' });
const throwOnError = true;

/** A list, whose rows are in a member of its replies. */
const list =
  <F extends string>(
    field: F,
    ask: (given: Given) => Promise<{ data: { [K in F]: unknown[] } & { nextPageToken?: string } }>,
  ) =>
  async (given: Given) => {
    const { data } = await ask(given);
    return { rows: data[field], token: data.nextPageToken };
  };

const lists: Record<string, ReturnType<typeof list>> = {
  listUtxos: list('utxos', ({ path, query }) =>
    api.listUtxos({ path, query: { includeSpent: true, ...query }, throwOnError }),
  ),
  listTransactions: list('transactions', ({ path, query }) =>
    api.listTransactions({ path, query, throwOnError }),
  ),
  listStakingTransactions: list('transactions', ({ path, query }) =>
    api.listStakingTransactions({ path, query, throwOnError }),
  ),
  listAssetTransactions: list('transactions', ({ path, query }) =>
    api.listAssetTransactions({ path, query, throwOnError }),
  ),
  listHistoricalRewards: list('historicalRewards', ({ path, query }) =>
    api.listHistoricalRewards({ path, query, throwOnError }),
  ),
  listPendingRewards: list('pendingRewards', ({ path, query }) =>
    api.listPendingRewards({ path, query, throwOnError }),
  ),
  listBlocks: list('blocks', ({ path, query }) => api.listBlocks({ path, query, throwOnError })),
  listBlocksOfNode: list('blocks', ({ path, query }) => api.listBlocksOfNode({ path, query, throwOnError })),
  listVertices: list('vertices', ({ path, query }) => api.listVertices({ path, query, throwOnError })),
  listVerticesByHeight: list('vertices', ({ path, query }) =>
    api.listVerticesByHeight({ path, query, throwOnError }),
  ),
  listSubnets: list('subnets', ({ path, query }) => api.listSubnets({ path, query, throwOnError })),
  listBlockchains: list('blockchains', ({ path, query }) =>
    api.listBlockchains({ path, query, throwOnError }),
  ),
  listValidators: list('validators', ({ path, query }) => api.listValidators({ path, query, throwOnError })),
  getValidator: list('validators', ({ path, query }) => api.getValidator({ path, query, throwOnError })),
  listDelegators: list('delegators', ({ path, query }) => api.listDelegators({ path, query, throwOnError })),
  listL1Validators: list('validators', ({ path, query }) =>
    api.listL1Validators({ path, query: { includeInactiveL1Validators: true, ...query }, throwOnError }),
  ),
  listInternalTransactions: list('transactions', ({ path, query }) =>
    api.listInternalTransactions({ path, query, throwOnError }),
  ),
  listErc20Balances: list('erc20TokenBalances', ({ path, query }) =>
    api.listErc20Balances({ path, query, throwOnError }),
  ),
  listErc721Balances: list('erc721TokenBalances', ({ path, query }) =>
    api.listErc721Balances({ path, query, throwOnError }),
  ),
  listNftTokens: list('tokens', ({ path, query }) => api.listNftTokens({ path, query, throwOnError })),
  listIcmMessages: list('messages', ({ query }) => api.listIcmMessages({ query, throwOnError })),
  listIcmMessagesOfAddress: list('messages', ({ path, query }) =>
    api.listIcmMessagesOfAddress({ path, query, throwOnError }),
  ),
  listTeleporterMessages: list('messages', ({ query }) =>
    api.listTeleporterMessages({ query, throwOnError }),
  ),
  listTeleporterMessagesOfAddress: list('messages', ({ path, query }) =>
    api.listTeleporterMessagesOfAddress({ path, query, throwOnError }),
  ),
  getSubnetMetric: list('results', ({ path, query }) => api.getSubnetMetric({ path, query, throwOnError })),
  getL1Metric: list('results', ({ path, query }) => api.getL1Metric({ path, query, throwOnError })),
  getNodeMetric: list('results', ({ path, query }) => api.getNodeMetric({ path, query, throwOnError })),
  getValidationMetric: list('results', ({ path, query }) =>
    api.getValidationMetric({ path, query, throwOnError }),
  ),
  getNetworkMetric: list('results', ({ path, query }) => api.getNetworkMetric({ path, query, throwOnError })),
  listUtxosOfAddresses: list('utxos', (given) => api.listUtxosOfAddresses({ ...given, throwOnError })),
  compositeQuery: list('addresses', ({ query, body }) => api.compositeQuery({ query, body, throwOnError })),
  listChains: list('chains', () => api.listChains({ throwOnError })),
};

const objects: Record<string, (given: Given) => Promise<unknown>> = {
  getBalances: ({ path, query }) => api.getBalances({ path, query, throwOnError }),
  listChainIds: ({ path, query }) => api.listChainIds({ path, query, throwOnError }),
  getLastActivity: ({ path, query }) => api.getLastActivity({ path, query, throwOnError }),
  getTransaction: ({ path }) => api.getTransaction({ path, throwOnError }),
  getAsset: ({ path }) => api.getAsset({ path, throwOnError }),
  getBlock: ({ path }) => api.getBlock({ path, throwOnError }),
  getVertex: ({ path }) => api.getVertex({ path, throwOnError }),
  getNetworkDetails: ({ path }) => api.getNetworkDetails({ path, throwOnError }),
  getSubnet: ({ path }) => api.getSubnet({ path, throwOnError }),
  getBlockchain: ({ path }) => api.getBlockchain({ path, throwOnError }),
  getChain: ({ path }) => api.getChain({ path, throwOnError }),
  listAddressChains: ({ path }) => api.listAddressChains({ path, throwOnError }),
  getAddressChains: ({ path }) => api.getAddressChains({ path, throwOnError }),
  getNativeBalance: ({ path }) => api.getNativeBalance({ path, throwOnError }),
  getNftToken: ({ path }) => api.getNftToken({ path, throwOnError }),
  getIcmMessage: ({ path }) => api.getIcmMessage({ path, throwOnError }),
  getTeleporterMessage: ({ path }) => api.getTeleporterMessage({ path, throwOnError }),
  getLastActivityOfAddresses: ({ path, body }) =>
    api.getLastActivityOfAddresses({ path, body, throwOnError }),
  reindexNft: ({ path }) => api.reindexNft({ path, throwOnError }),
  v1HealthCheck: () => api.v1HealthCheck({ throwOnError }),
  v1LiveCheck: () => api.v1LiveCheck({ throwOnError }),
  v2HealthCheck: () => api.v2HealthCheck({ throwOnError }),
  v2LiveCheck: () => api.v2LiveCheck({ throwOnError }),
};

await work({ lists, objects });
