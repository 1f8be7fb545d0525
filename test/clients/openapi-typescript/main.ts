// Does each line of work by the types that openapi-typescript makes, and prints how many rows it read.
import createClient from 'openapi-fetch';
import type { paths } from './api.js';
import { work, type Given } from './work.js';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

type Reply<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** What a reply that is no refusal holds. */
async function read<T>(reply: Reply<T>): Promise<T> {
  const { data, error, response } = await reply;
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(error)}`);
  return data as T;
}

/** A list, whose rows are in a member of its replies. */
const list =
  <F extends string>(
    field: F,
    ask: (given: Given) => Reply<{ [K in F]: unknown[] } & { nextPageToken?: string }>,
  ) =>
  async (given: Given) => {
    const page = await read(ask(given));
    return { rows: page[field], token: page.nextPageToken };
  };

const network = '/v1/networks/{network}';
const chain = '/v1/networks/{network}/blockchains/{blockchainId}';
const evm = '/v1/chains/{chainId}';
const account = '/v1/chains/{chainId}/addresses/{address}';
const tokens = '/v1/chains/{chainId}/nfts/collections/{address}/tokens';

const lists: Record<string, ReturnType<typeof list>> = {
  listUtxos: list('utxos', ({ path, query }) =>
    client.GET(`${chain}/utxos`, { params: { path, query: { includeSpent: true, ...query } } }),
  ),
  listTransactions: list('transactions', ({ path, query }) =>
    client.GET(`${chain}/transactions`, { params: { path, query } }),
  ),
  listStakingTransactions: list('transactions', ({ path, query }) =>
    client.GET(`${chain}/transactions:listStaking`, { params: { path, query } }),
  ),
  listAssetTransactions: list('transactions', ({ path, query }) =>
    client.GET(`${chain}/assets/{assetId}/transactions`, { params: { path, query } }),
  ),
  listHistoricalRewards: list('historicalRewards', ({ path, query }) =>
    client.GET(`${network}/rewards`, { params: { path, query } }),
  ),
  listPendingRewards: list('pendingRewards', ({ path, query }) =>
    client.GET(`${network}/rewards:listPending`, { params: { path, query } }),
  ),
  listBlocks: list('blocks', ({ path, query }) => client.GET(`${chain}/blocks`, { params: { path, query } })),
  listBlocksOfNode: list('blocks', ({ path, query }) =>
    client.GET(`${chain}/nodes/{nodeId}/blocks`, { params: { path, query } }),
  ),
  listVertices: list('vertices', ({ path, query }) =>
    client.GET(`${chain}/vertices`, { params: { path, query } }),
  ),
  listVerticesByHeight: list('vertices', ({ path, query }) =>
    client.GET(`${chain}/vertices:listByHeight`, { params: { path, query } }),
  ),
  listSubnets: list('subnets', ({ path, query }) =>
    client.GET(`${network}/subnets`, { params: { path, query } }),
  ),
  listBlockchains: list('blockchains', ({ path, query }) =>
    client.GET(`${network}/blockchains`, { params: { path, query } }),
  ),
  listValidators: list('validators', ({ path, query }) =>
    client.GET(`${network}/validators`, { params: { path, query } }),
  ),
  getValidator: list('validators', ({ path, query }) =>
    client.GET(`${network}/validators/{nodeId}`, { params: { path, query } }),
  ),
  listDelegators: list('delegators', ({ path, query }) =>
    client.GET(`${network}/delegators`, { params: { path, query } }),
  ),
  listL1Validators: list('validators', ({ path, query }) =>
    client.GET(`${network}/l1Validators`, {
      params: { path, query: { includeInactiveL1Validators: true, ...query } },
    }),
  ),
  listInternalTransactions: list('transactions', ({ path, query }) =>
    client.GET(`${account}/transactions:listInternals`, { params: { path, query } }),
  ),
  listErc20Balances: list('erc20TokenBalances', ({ path, query }) =>
    client.GET(`${account}/balances:listErc20`, { params: { path, query } }),
  ),
  listErc721Balances: list('erc721TokenBalances', ({ path, query }) =>
    client.GET(`${account}/balances:listErc721`, { params: { path, query } }),
  ),
  listNftTokens: list('tokens', ({ path, query }) => client.GET(tokens, { params: { path, query } })),
  listIcmMessages: list('messages', ({ query }) => client.GET('/v1/icm/messages', { params: { query } })),
  listIcmMessagesOfAddress: list('messages', ({ path, query }) =>
    client.GET('/v1/icm/addresses/{address}/messages', { params: { path, query } }),
  ),
  listTeleporterMessages: list('messages', ({ query }) =>
    client.GET('/v1/teleporter/messages', { params: { query } }),
  ),
  listTeleporterMessagesOfAddress: list('messages', ({ path, query }) =>
    client.GET('/v1/teleporter/addresses/{address}/messages', { params: { path, query } }),
  ),
  getSubnetMetric: list('results', ({ path, query }) =>
    client.GET('/v2/subnet/{subnetId}/metrics/{metric}', { params: { path, query } }),
  ),
  getL1Metric: list('results', ({ path, query }) =>
    client.GET('/v2/validators/metrics/{metric}', { params: { path, query } }),
  ),
  getNodeMetric: list('results', ({ path, query }) =>
    client.GET('/v2/validator/{nodeId}/metrics/{metric}', { params: { path, query } }),
  ),
  getValidationMetric: list('results', ({ path, query }) =>
    client.GET('/v2/validation/{l1ValidationId}/metrics/{metric}', { params: { path, query } }),
  ),
  getNetworkMetric: list('results', ({ path, query }) =>
    client.GET('/v2/networks/{network}/metrics/{metric}', { params: { path, query } }),
  ),
  listUtxosOfAddresses: list('utxos', ({ path, query, body }) =>
    client.POST(`${chain}/utxos`, { params: { path, query }, body }),
  ),
  compositeQuery: list('addresses', ({ query, body }) =>
    client.POST('/v2/lookingGlass/compositeQuery', { params: { query }, body }),
  ),
  listChains: list('chains', () => client.GET('/v1/chains')),
};

const objects: Record<string, (given: Given) => Promise<unknown>> = {
  getBalances: ({ path, query }) => read(client.GET(`${chain}/balances`, { params: { path, query } })),
  listChainIds: ({ path, query }) =>
    read(client.GET(`${network}/addresses:listChainIds`, { params: { path, query } })),
  getLastActivity: ({ path, query }) =>
    read(client.GET(`${chain}/lastActivityTimestampByAddresses`, { params: { path, query } })),
  getTransaction: ({ path }) => read(client.GET(`${chain}/transactions/{txHash}`, { params: { path } })),
  getAsset: ({ path }) => read(client.GET(`${chain}/assets/{assetId}`, { params: { path } })),
  getBlock: ({ path }) => read(client.GET(`${chain}/blocks/{blockId}`, { params: { path } })),
  getVertex: ({ path }) => read(client.GET(`${chain}/vertices/{vertexHash}`, { params: { path } })),
  getNetworkDetails: ({ path }) => read(client.GET(network, { params: { path } })),
  getSubnet: ({ path }) => read(client.GET(`${network}/subnets/{subnetId}`, { params: { path } })),
  getBlockchain: ({ path }) => read(client.GET(chain, { params: { path } })),
  getChain: ({ path }) => read(client.GET(evm, { params: { path } })),
  listAddressChains: ({ path }) => read(client.GET('/v1/address/{address}/chains', { params: { path } })),
  getAddressChains: ({ path }) => read(client.GET('/v1/chains/address/{address}', { params: { path } })),
  getNativeBalance: ({ path }) => read(client.GET(`${account}/balances:getNative`, { params: { path } })),
  getNftToken: ({ path }) => read(client.GET(`${tokens}/{tokenId}`, { params: { path } })),
  getIcmMessage: ({ path }) => read(client.GET('/v1/icm/messages/{messageId}', { params: { path } })),
  getTeleporterMessage: ({ path }) =>
    read(client.GET('/v1/teleporter/messages/{messageId}', { params: { path } })),
  getLastActivityOfAddresses: ({ path, body }) =>
    read(client.POST(`${chain}/lastActivityTimestampByAddresses`, { params: { path }, body })),
  reindexNft: ({ path }) => read(client.POST(`${tokens}/{tokenId}:reindex`, { params: { path } })),
  v1HealthCheck: () => read(client.GET('/v1/health-check')),
  v1LiveCheck: () => read(client.GET('/v1/live-check')),
  v2HealthCheck: () => read(client.GET('/v2/health-check')),
  v2LiveCheck: () => read(client.GET('/v2/live-check')),
};

await work({ lists, objects });
