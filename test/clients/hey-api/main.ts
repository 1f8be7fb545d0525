// Reads every list to its end, and every single thing, by the client that @hey-api/openapi-ts makes, which checks with zod.
import { createInterface } from 'node:readline';
import { client } from './api/client.gen.js';
import * as api from './api/sdk.gen.js';

client.setConfig({ baseUrl: process.argv[2] ?? '' });
const throwOnError = true;

/** Asks for pages until there is no token, and counts their rows. */
async function walk(
  page: (query: { pageToken?: string }) => Promise<{ rows: unknown[]; token?: string | undefined }>,
) {
  let { rows, token } = await page({});
  let count = rows.length;
  while (token !== undefined) {
    ({ rows, token } = await page({ pageToken: token }));
    count += rows.length;
  }
  return count;
}

async function run([kind = '', ...w]: string[]): Promise<number> {
  const network = w[0] as 'fuji';
  const [first = '', second = '', third = ''] = w;
  switch (kind) {
    case 'utxos':
      return walk(async (token) => {
        const query = { pageSize: 100, includeSpent: true, ...token };
        const { data } = await api.listUtxos({
          path: { network, blockchainId: second },
          query,
          throwOnError,
        });
        return { rows: data.utxos, token: data.nextPageToken };
      });
    case 'vertices':
      return walk(async (token) => {
        const query = { pageSize: 10, ...token };
        const { data } = await api.listVertices({
          path: { network, blockchainId: second },
          query,
          throwOnError,
        });
        return { rows: data.vertices, token: data.nextPageToken };
      });
    case 'messages':
      return walk(async (token) => {
        const { data } = await api.listIcmMessages({ query: { pageSize: 100, ...token }, throwOnError });
        return { rows: data.messages, token: data.nextPageToken };
      });
    case 'internals':
      return walk(async (token) => {
        const path = { chainId: first, address: second };
        const query = { pageSize: 10, ...token };
        const { data } = await api.listInternalTransactions({ path, query, throwOnError });
        return { rows: data.transactions, token: data.nextPageToken };
      });
    case 'metric':
      return walk(async (token) => {
        const path = { subnetId: first, metric: second as 'perSubnetDailyFeesPaid' };
        const { data } = await api.getSubnetMetric({ path, query: { pageSize: 10, ...token }, throwOnError });
        return { rows: data.results, token: data.nextPageToken };
      });
    case 'chains':
      return (await api.listChains({ throwOnError })).data.chains.length;
    case 'transaction':
      await api.getTransaction({ path: { network, blockchainId: second, txHash: third }, throwOnError });
      return 1;
    case 'message':
      await api.getIcmMessage({ path: { messageId: first }, throwOnError });
      return 1;
    case 'chain':
      await api.getChain({ path: { chainId: first }, throwOnError });
      return 1;
    default: {
      const checks = [api.v1HealthCheck, api.v1LiveCheck, api.v2HealthCheck, api.v2LiveCheck];
      for (const check of checks) await check({ throwOnError });
      return checks.length;
    }
  }
}

for await (const line of createInterface(process.stdin)) console.log(await run(line.split(' ')));
