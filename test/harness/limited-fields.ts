import { expect } from 'vitest';
import type { TestApp } from './app.js';

const composite = { calls: 50, seconds: 600 };
const many = { requests: 1000, seconds: 3600, perDay: null };
/** Plans with limits of fields. */
export const plans = {
  narrow: { ...many, fields: { 'Query.compositeQuery': composite } },
  brief: { ...many, fields: { 'Query.compositeQuery': { calls: 3, seconds: 10 } } },
  declared: many,
  without: { ...many, fields: { 'Query.compositeQuery': null } },
  several: {
    ...many,
    fields: {
      'Query.compositeQuery': { calls: 5, seconds: 60 },
      'Query.subnetMetric': { calls: 2, seconds: 60 },
    },
  },
  nested: {
    ...many,
    fields: {
      'Mutation.reindexNft': { calls: 1, seconds: 60 },
      'UtxoConnection.totalCount': { calls: 3, seconds: 60 },
      'VertexConnection.totalCount': { calls: 2, seconds: 60 },
    },
  },
  tight: { requests: 2, seconds: 3600, fields: { 'Query.compositeQuery': { calls: 1, seconds: 60 } } },
};

const params = { evmChainId: '7', firstDate: '2024-01-01', lastDate: '2024-01-02', minBalance: '5' };
const body = { operator: 'AND', queries: [{ id: 'n', type: 'AllTimeNativeBalance', params }] };
/** The field that most of them limit. */
export const field = `compositeQuery(operator: AND, queries: [{ allTimeNativeBalance: { id: "n", evmChainId: "7",
  firstDate: "2024-01-01", lastDate: "2024-01-02", minBalance: "5" } }]) { totalCount }`;
export const metric =
  'subnetMetric(metric: perSubnetPayingValidators, subnetId: "11111111111111111111111111111111LpoYY") { pageInfo { hasNextPage } }';
export const utxos = 'utxos(network: fuji, blockchainId: "p-chain")';
export const vertices = 'vertices(network: fuji, blockchainId: "x-chain")';

/** Calls of the composite query with a key, through either door, and other operations through GraphQL. */
export function keyedDoors(gateway: () => TestApp) {
  async function viaRest(key: string) {
    const url = '/v2/lookingGlass/compositeQuery';
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
    return gateway().app.inject({ method: 'POST', url, headers, payload: JSON.stringify(body) });
  }
  async function viaGraphql(key: string, query = `{ ${field} }`, variables = {}) {
    const headers = { 'x-service-api-key': key };
    return gateway().app.inject({ method: 'POST', url: '/graphql', headers, payload: { query, variables } });
  }
  async function statusOf(key: string, query: string, variables = {}): Promise<number> {
    return (await viaGraphql(key, query, variables)).statusCode;
  }
  return { viaRest, viaGraphql, statusOf };
}

/** How many of so many requests at once were answered, and how many refused. */
export async function statusesOf(requests: number, send: (index: number) => Promise<{ statusCode: number }>) {
  const replies = await Promise.all(Array.from({ length: requests }, (_, index) => send(index)));
  const counts = { ok: 0, refused: 0 };
  for (const { statusCode } of replies) {
    expect([200, 429]).toContain(statusCode);
    counts[statusCode === 200 ? 'ok' : 'refused'] += 1;
  }
  return counts;
}
