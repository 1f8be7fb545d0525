import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath, makeKey } from '../harness/keys.js';
import { listenOnPort } from '../harness/listen.js';
import { get, readToEnd, send } from '../harness/raw-client.js';

let gateway: TestApp;
let port: number;
beforeAll(async () => {
  gateway = await createApp({ CORS_ORIGIN: 'https://app.example' });
  port = await listenOnPort(gateway.app);
});
afterAll(() => gateway.close());

async function refusalOf(text: string) {
  const reply = await readToEnd(await send(port, text));
  const end = reply.indexOf('\r\n\r\n');
  return { head: reply.slice(0, end).toLowerCase(), body: JSON.parse(reply.slice(end + 4)) as unknown };
}

const post = 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

test.each([
  ['what is not HTTP', 'nonsense\r\n\r\n', 400, 'Bad Request'],
  ['a method that does not exist', 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'Bad Request'],
  ['a field without a name', 'GET / HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n', 400, 'Bad Request'],
  ['no host', 'GET /health HTTP/1.1\r\n\r\n', 400, 'Bad Request'],
  ['two hosts', 'GET /health HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n', 400, 'Bad Request'],
  ['the same host twice', 'GET /health HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n', 400, 'Bad Request'],
  ['two hosts in HTTP/1.0', 'GET /health HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n', 400, 'Bad Request'],
  ['a path as host', 'GET /health HTTP/1.1\r\nhost: a/b\r\n\r\n', 400, 'Bad Request'],
  ['a host with a space', 'GET /health HTTP/1.1\r\nhost: a b\r\n\r\n', 400, 'Bad Request'],
  ['a host with a user', 'GET /health HTTP/1.1\r\nhost: u@a\r\n\r\n', 400, 'Bad Request'],
  ['a port that is none', 'GET /health HTTP/1.1\r\nhost: a:b\r\n\r\n', 400, 'Bad Request'],
  ['two lengths', `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400, 'Bad Request'],
  ['a chunk without a length', `${post}transfer-encoding: chunked\r\n\r\nxyz\r\n{}`, 400, 'Bad Request'],
  ['a head of 20 kB', get('/', `x-y: ${'z'.repeat(20_000)}\r\n`), 431, 'Request Header Fields Too Large'],
  ['a head of 200 kB', get('/', `x-y: ${'z'.repeat(200_000)}\r\n`), 431, 'Request Header Fields Too Large'],
])('%s is refused in the form of every refusal', async (_what, text, statusCode, error) => {
  const { head, body } = await refusalOf(text);
  expect(head).toMatch(new RegExp(`^http/1.1 ${statusCode} ${error.toLowerCase()}\r\n`));
  expect(body).toEqual({ message: expect.any(String) as string, error, statusCode });
  for (const line of [
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ])
    expect(head.split('\r\n')).toContain(line);
});

test('a refusal is never taken for the answer to the request before it', async () => {
  const reply = await readToEnd(await send(port, `${get('/health')}nonsense\r\n\r\n`));
  expect(reply).not.toMatch(/^HTTP\/1\.1 400/);
});

describe('caches', () => {
  test('keep no refusal, and ask before they use an answer', async () => {
    const { key } = await makeKey(gateway, 'free');
    for (const [path, headers] of [
      [`${listPath}?pageSize=x`, {}],
      ['/v1/networks/%zz', {}],
      ['/no/such/path', {}],
      ['/health', {}],
      ['/metrics', {}],
      ['/graphql?query={nothing}', {}],
    ] as [string, Record<string, string>][])
      expect([path, (await gateway.get(path, headers)).headers['cache-control']]).toEqual([path, 'no-store']);
    for (const path of [listPath, '/graphql?query={__typename}', '/openapi.json'])
      expect([path, (await gateway.get(path)).headers['cache-control']]).toEqual([path, 'no-cache']);
    const ofKey = await gateway.get(listPath, { 'x-service-api-key': key });
    expect(ofKey.headers['cache-control']).toBe('private, no-cache');
  });

  test('get every header that a reply depends on', async () => {
    const { headers } = await gateway.get(listPath, { origin: 'https://app.example' });
    const names = String(headers['vary']).toLowerCase().split(/,\s*/);
    expect(names.sort()).toEqual([
      'accept',
      'accept-encoding',
      'origin',
      'x-glacier-api-key',
      'x-service-api-key',
    ]);
  });
});

describe('names of 200 kB', () => {
  const long = 'x'.repeat(200_000);
  test.each([
    ['a field', { query: `{ ${long} }` }],
    ['an argument', { query: `{ utxos(${long}: 1) { nodes { utxoId } } }` }],
    ['an operation', { query: `query ${long} { __typename } query ${long} { __typename }` }],
    ['a fragment', { query: `{ ...${long} }` }],
    ['a type', { query: `query ($a: ${long}) { __typename }` }],
    ['a directive', { query: `{ __typename @${long} }` }],
    ['a variable', { query: `query ($a: Int) { node(id: $${long}) { id } }` }],
    ['an enum value', { query: `{ utxos(network: ${long}, blockchainId: "p-chain") { nodes { utxoId } } }` }],
    [
      'an operation that is asked for',
      { query: 'query a { __typename } query b { __typename }', operationName: long },
    ],
    ['a syntax error', { query: `{ a(b: "${long}` }],
    [
      'a value',
      {
        query: 'query ($n: Network!) { utxos(network: $n, blockchainId: "p") { nodes { utxoId } } }',
        variables: { n: long },
      },
    ],
    [
      'a member of a value',
      {
        query: 'query ($n: Network!) { utxos(network: $n, blockchainId: "p") { nodes { utxoId } } }',
        variables: { n: { [long]: 1 } },
      },
    ],
  ])('are cut in messages: %s', async (_what, body) => {
    const { text } = await gateway.post(
      '/graphql',
      { 'content-type': 'application/json' },
      JSON.stringify(body),
    );
    expect(text).toContain('errors');
    expect(text.length).toBeLessThan(5000);
  });

  test.each([
    { queries: [{ id: long, type: 'x', params: {} }] },
    { queries: [{ id: 'a', type: long, params: {} }] },
    { queries: [{ id: 'a', type: 'LatestBalance', params: { minBalance: long, evmChainId: long } }] },
    {
      queries: [
        { id: long, type: 'LatestBalance', params: {} },
        { id: long, type: 'LatestBalance', params: {} },
      ],
    },
    { queries: [], pageSize: long, operator: long },
    long,
  ])('are cut in messages of a REST body, %#', async (body) => {
    const { text, status } = await gateway.post(
      '/v2/lookingGlass/compositeQuery',
      { 'content-type': 'application/json' },
      JSON.stringify(body),
    );
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text.length).toBeLessThan(5000);
  });
});
