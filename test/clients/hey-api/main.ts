// Does each line of work by the client that @hey-api/openapi-ts makes, which checks requests and replies with zod, and prints
// how many rows it read.
import { createInterface } from 'node:readline';
import { client } from './api/client.gen.js';
import * as api from './api/sdk.gen.js';
import type { CompositeQueryRequest, GetSubnetMetricData } from './api/types.gen.js';

client.setConfig({ baseUrl: process.argv[2] ?? '' });
const throwOnError = true;

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
      const { data } = await api.listUtxos({
        path: chain,
        query: { includeSpent: true, ...query },
        throwOnError,
      });
      return { rows: data.utxos, token: data.nextPageToken };
    }
    case 'listVertices': {
      const { data } = await api.listVertices({ path: chain, query, throwOnError });
      return { rows: data.vertices, token: data.nextPageToken };
    }
    case 'listIcmMessages': {
      const { data } = await api.listIcmMessages({ query, throwOnError });
      return { rows: data.messages, token: data.nextPageToken };
    }
    case 'listInternalTransactions': {
      const path = { chainId: w[0] ?? '', address: w[1] ?? '' };
      const { data } = await api.listInternalTransactions({ path, query, throwOnError });
      return { rows: data.transactions, token: data.nextPageToken };
    }
    case 'getSubnetMetric': {
      const path = { subnetId: w[0] ?? '', metric: w[1] as GetSubnetMetricData['path']['metric'] };
      const { data } = await api.getSubnetMetric({ path, query, throwOnError });
      return { rows: data.results, token: data.nextPageToken };
    }
    case 'compositeQuery': {
      const body = JSON.parse(w[0] ?? '') as CompositeQueryRequest;
      const { data } = await api.compositeQuery({ body, query, throwOnError });
      return { rows: data.addresses, token: data.nextPageToken };
    }
  }
  throw new Error(operation);
}

async function run([operation = '', ...w]: string[]): Promise<number> {
  const [first = '', second = '', third = ''] = w;
  switch (operation) {
    case 'listChains':
      return (await api.listChains({ throwOnError })).data.chains.length;
    case 'getTransaction': {
      const path = { network: first as 'fuji', blockchainId: second, txHash: third };
      await api.getTransaction({ path, throwOnError });
      return 1;
    }
    case 'getIcmMessage':
      await api.getIcmMessage({ path: { messageId: first }, throwOnError });
      return 1;
    case 'getChain':
      await api.getChain({ path: { chainId: first }, throwOnError });
      return 1;
    case 'reindexNft':
      await api.reindexNft({ path: { chainId: first, address: second, tokenId: third }, throwOnError });
      return 1;
    case 'v1HealthCheck':
    case 'v1LiveCheck':
    case 'v2HealthCheck':
    case 'v2LiveCheck':
      await api[operation]({ throwOnError });
      return 1;
  }
  const [size, ...words] = w;
  return walk((token) => listed(operation, Number(size), words, token));
}

for await (const line of createInterface(process.stdin)) console.log(await run(line.split(' ')));
