// Reads every list to its end, and every single thing, by the types that openapi-typescript makes.
import createClient from 'openapi-fetch';
import { createInterface } from 'node:readline';
import type { paths } from './api.js';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

/** What a reply with status 200 holds. */
async function read<T>(reply: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await reply;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** Asks for pages until there is no token, and counts their rows. */
async function walk(page: (token?: string) => Promise<{ rows: unknown[]; token?: string | undefined }>) {
  let { rows, token } = await page();
  let count = rows.length;
  while (token !== undefined) {
    ({ rows, token } = await page(token));
    count += rows.length;
  }
  return count;
}

async function run([kind = '', ...w]: string[]): Promise<number> {
  const network = w[0] as 'fuji';
  const [first = '', second = '', third = ''] = w;
  switch (kind) {
    case 'utxos':
      return walk(async (pageToken) => {
        const query = { pageSize: 100, includeSpent: true, ...(pageToken && { pageToken }) };
        const path = { network, blockchainId: second };
        const url = '/v1/networks/{network}/blockchains/{blockchainId}/utxos';
        const page = await read(client.GET(url, { params: { path, query } }));
        return { rows: page.utxos, token: page.nextPageToken };
      });
    case 'vertices':
      return walk(async (pageToken) => {
        const query = { pageSize: 10, ...(pageToken && { pageToken }) };
        const path = { network, blockchainId: second };
        const url = '/v1/networks/{network}/blockchains/{blockchainId}/vertices';
        const page = await read(client.GET(url, { params: { path, query } }));
        return { rows: page.vertices, token: page.nextPageToken };
      });
    case 'messages':
      return walk(async (pageToken) => {
        const query = { pageSize: 100, ...(pageToken && { pageToken }) };
        const page = await read(client.GET('/v1/icm/messages', { params: { query } }));
        return { rows: page.messages, token: page.nextPageToken };
      });
    case 'internals':
      return walk(async (pageToken) => {
        const query = { pageSize: 10, ...(pageToken && { pageToken }) };
        const path = { chainId: first, address: second };
        const url = '/v1/chains/{chainId}/addresses/{address}/transactions:listInternals';
        const page = await read(client.GET(url, { params: { path, query } }));
        return { rows: page.transactions, token: page.nextPageToken };
      });
    case 'metric':
      return walk(async (pageToken) => {
        const query = { pageSize: 10, ...(pageToken && { pageToken }) };
        const path = { subnetId: first, metric: second as 'perSubnetDailyFeesPaid' };
        const page = await read(
          client.GET('/v2/subnet/{subnetId}/metrics/{metric}', { params: { path, query } }),
        );
        return { rows: page.results, token: page.nextPageToken };
      });
    case 'chains':
      return (await read(client.GET('/v1/chains'))).chains.length;
    case 'transaction': {
      const path = { network, blockchainId: second, txHash: third };
      const url = '/v1/networks/{network}/blockchains/{blockchainId}/transactions/{txHash}';
      await read(client.GET(url, { params: { path } }));
      return 1;
    }
    case 'message':
      await read(client.GET('/v1/icm/messages/{messageId}', { params: { path: { messageId: first } } }));
      return 1;
    case 'chain':
      await read(client.GET('/v1/chains/{chainId}', { params: { path: { chainId: first } } }));
      return 1;
    default: {
      const paths = ['/v1/health-check', '/v1/live-check', '/v2/health-check', '/v2/live-check'] as const;
      for (const path of paths) await read(client.GET(path));
      return paths.length;
    }
  }
}

for await (const line of createInterface(process.stdin)) console.log(await run(line.split(' ')));
