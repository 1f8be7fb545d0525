// Does each line of work by the types that openapi-typescript makes, and prints how many rows it read.
import createClient from 'openapi-fetch';
import { createInterface } from 'node:readline';
import type { components, paths } from './api.js';

// Lists are described as CSV too.
const client = createClient<paths, 'application/json'>({ baseUrl: process.argv[2] ?? '' });
const chains = '/v1/networks/{network}/blockchains/{blockchainId}';
const evm = '/v1/chains/{chainId}';
type Metric = paths['/v2/subnet/{subnetId}/metrics/{metric}']['get']['parameters']['path']['metric'];

/** What a reply that is no refusal holds. */
async function read<T>(reply: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await reply;
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(error)}`);
  return data as T;
}

interface Page {
  rows: unknown[];
  token: string | undefined;
}

/** Asks for pages until there is no token, and counts their rows. */
async function walk(page: (paging: { pageToken?: string }) => Promise<Page>): Promise<number> {
  let { rows, token } = await page({});
  let count = rows.length;
  while (token !== undefined) {
    ({ rows, token } = await page({ pageToken: token }));
    count += rows.length;
  }
  return count;
}

async function listed(operation: string, pageSize: number, w: string[], token: object): Promise<Page> {
  const query = { pageSize, ...token };
  const chain = { network: w[0] as 'fuji', blockchainId: w[1] ?? '' };
  switch (operation) {
    case 'listUtxos': {
      const params = { path: chain, query: { includeSpent: true, ...query } };
      const page = await read(client.GET(`${chains}/utxos`, { params }));
      return { rows: page.utxos, token: page.nextPageToken };
    }
    case 'listVertices': {
      const page = await read(client.GET(`${chains}/vertices`, { params: { path: chain, query } }));
      return { rows: page.vertices, token: page.nextPageToken };
    }
    case 'listIcmMessages': {
      const page = await read(client.GET('/v1/icm/messages', { params: { query } }));
      return { rows: page.messages, token: page.nextPageToken };
    }
    case 'listInternalTransactions': {
      const path = { chainId: w[0] ?? '', address: w[1] ?? '' };
      const url = `${evm}/addresses/{address}/transactions:listInternals` as const;
      const page = await read(client.GET(url, { params: { path, query } }));
      return { rows: page.transactions, token: page.nextPageToken };
    }
    case 'getSubnetMetric': {
      const path = { subnetId: w[0] ?? '', metric: w[1] as Metric };
      const url = '/v2/subnet/{subnetId}/metrics/{metric}';
      const page = await read(client.GET(url, { params: { path, query } }));
      return { rows: page.results, token: page.nextPageToken };
    }
    case 'compositeQuery': {
      const body = JSON.parse(w[0] ?? '') as components['schemas']['CompositeQueryRequest'];
      const page = await read(client.POST('/v2/lookingGlass/compositeQuery', { params: { query }, body }));
      return { rows: page.addresses, token: page.nextPageToken };
    }
  }
  throw new Error(operation);
}

async function run([operation = '', ...w]: string[]): Promise<number> {
  const [first = '', second = '', third = ''] = w;
  switch (operation) {
    case 'listChains':
      return (await read(client.GET('/v1/chains'))).chains.length;
    case 'getTransaction': {
      const path = { network: first as 'fuji', blockchainId: second, txHash: third };
      await read(client.GET(`${chains}/transactions/{txHash}`, { params: { path } }));
      return 1;
    }
    case 'getIcmMessage':
      await read(client.GET('/v1/icm/messages/{messageId}', { params: { path: { messageId: first } } }));
      return 1;
    case 'getChain':
      await read(client.GET(evm, { params: { path: { chainId: first } } }));
      return 1;
    case 'reindexNft': {
      const path = { chainId: first, address: second, tokenId: third };
      const url = `${evm}/nfts/collections/{address}/tokens/{tokenId}:reindex` as const;
      await read(client.POST(url, { params: { path } }));
      return 1;
    }
    case 'v1HealthCheck':
    case 'v1LiveCheck':
    case 'v2HealthCheck':
    case 'v2LiveCheck': {
      const [, version, check] = /^(v\d)(\w+)Check$/.exec(operation) as unknown as [0, 'v1', 'Live'];
      await read(client.GET(`/${version}/${check.toLowerCase() as 'live'}-check`));
      return 1;
    }
  }
  const [size, ...words] = w;
  return walk((token) => listed(operation, Number(size), words, token));
}

for await (const line of createInterface(process.stdin)) console.log(await run(line.split(' ')));
