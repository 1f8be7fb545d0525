import type { InjectOptions } from 'fastify';
import { listPath, listQuery } from './keys.js';

const transaction = '/v1/networks/fuji/blockchains/p-chain/transactions';
const unheld = '2rQU7nLtsP5BUaz8EtRcmH5W8e7MqdPZe55Zc4Kc5yrVgkLbmC';
const json = { 'content-type': 'application/json' };

/** A request to GraphQL; `query` may be anything. */
export function ask(query: unknown, headers: Record<string, string> = {}): InjectOptions {
  return {
    method: 'POST',
    url: '/graphql',
    headers: { ...json, ...headers },
    payload: JSON.stringify({ query }),
  };
}

/** The name of a request, the request, its answer and its cost. */
type Case = [name: string, request: InjectOptions, reply: { status: number; cost: number }];

/** A request of every kind, to a gateway with a MAX_BODY_BYTES of 2,000. */
export const anyRequests: Case[] = [
  ['a list', { url: listPath }, { status: 200, cost: 1 }],
  ['HEAD', { method: 'HEAD', url: listPath }, { status: 200, cost: 1 }],
  ['a wrong parameter', { url: `${listPath}?pageSize=0` }, { status: 400, cost: 1 }],
  ['what is not stored', { url: `${transaction}/${unheld}` }, { status: 404, cost: 1 }],
  [
    'a body that is not JSON',
    { method: 'POST', url: '/v2/lookingGlass/compositeQuery', payload: '{' },
    { status: 400, cost: 1 },
  ],
  ['an unknown URL', { url: '/v1/nope' }, { status: 404, cost: 0 }],
  ['a URL that cannot be decoded', { url: '/v1/%E0%A4%A' }, { status: 400, cost: 0 }],
  ['an endless path segment', { url: `${transaction}/${'a'.repeat(3000)}` }, { status: 400, cost: 1 }],
  ['a wrong method', { method: 'DELETE', url: listPath, payload: 'x' }, { status: 405, cost: 0 }],
  ['an operation', ask(listQuery), { status: 200, cost: 1 }],
  [
    'an operation by GET',
    { url: `/graphql?query=${encodeURIComponent(listQuery)}` },
    { status: 200, cost: 1 },
  ],
  [
    'an operation that asks for the newer type',
    ask(listQuery, { accept: 'application/graphql-response+json' }),
    { status: 200, cost: 1 },
  ],
  ['introspection', ask('{ __typename }'), { status: 200, cost: 1 }],
  ['introspection by GET', { url: '/graphql?query={__schema{__typename}}' }, { status: 200, cost: 1 }],
  [
    'introspection in two fields together with a list',
    ask(`{ __typename __schema { __typename } __type(name: "Utxo") { name } ${listQuery.slice(1)}`),
    { status: 200, cost: 3 },
  ],
  ['a field that is not counted', ask('{ __typename rateLimit { plan } }'), { status: 200, cost: 1 }],
  ['a field that refuses its arguments', ask('{ node(id: "x") { id } }'), { status: 200, cost: 1 }],
  [
    'a document of wrong syntax',
    ask('{ utxos(', { accept: 'application/graphql-response+json' }),
    { status: 400, cost: 1 },
  ],
  ['no document', ask(7), { status: 400, cost: 1 }],
  [
    'an operation that is not JSON',
    { method: 'POST', url: '/graphql', headers: json, payload: '{' },
    { status: 400, cost: 1 },
  ],
  ['a body that is too large', ask('x'.repeat(3000)), { status: 413, cost: 1 }],
  ['a method that GraphQL has not', { method: 'DELETE', url: '/graphql' }, { status: 405, cost: 0 }],
];

/** The pages for everybody. */
export const freePages: Case[] = [
  ['the page of GraphiQL', { url: '/graphql', headers: { accept: 'text/html' } }, { status: 200, cost: 0 }],
  ...[
    '/',
    '/docs/',
    '/openapi.json',
    '/health',
    '/ready',
    '/metrics',
    '/v1/health-check',
    '/v2/live-check',
  ].map((url): Case => [url, { url }, { status: 200, cost: 0 }]),
];
