import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { METHODS, request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatAddress } from '../../src/avalanche/address.js';
import { unavailablePaths } from '../../src/rest/unavailable.js';
import { createApp, type TestApp } from '../harness/app.js';
import { listen } from '../harness/listen.js';

const utxos = '/v1/networks/fuji/blockchains/p-chain/utxos';
const vertices = '/v1/networks/fuji/blockchains/x-chain/vertices';
const transaction = '/v1/networks/fuji/blockchains/p-chain/transactions';
const someHash = '2rQU7nLtsP5BUaz8EtRcmH5W8e7MqdPZe55Zc4Kc5yrVgkLbmC';
const listInternals = `/v1/chains/43113/addresses/0x${'1'.repeat(40)}/transactions:listInternals`;
const metrics = '/v2/subnet/11111111111111111111111111111111LpoYY/metrics/perSubnetDailyFeesPaid';
const mainnetAddress = 'avax1yu8wlxfdkj8mnca60jwwzvfyqzd6xlnf635tld';

let gateway: TestApp;
let origin: string;
beforeAll(async () => {
  gateway = await createApp();
  origin = await listen(gateway.app);
});
afterAll(() => gateway.close());

test('what the published clients may request and Moraine has no data for is 501, as docs/contract.md lists it', async () => {
  const contract = await readFile(new URL('../../docs/contract.md', import.meta.url), 'utf8');
  const [, section = ''] = contract.split('## What is not there');
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) => {
    const [, paths = '', why = ''] = row.split('|').map((cell) => cell.trim());
    return [...paths.matchAll(/`([^`]+)`/g)].map(([, path]) => `${path} ${why}`);
  });
  const named = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' ? path : `${method} ${path}`;
  expect(listed.sort()).toEqual(unavailablePaths.map((each) => `${named(each)} ${each.why}`).sort());
  for (const { method, path, why } of unavailablePaths) {
    const url = path.replace(/\{\w+\}/g, 'x');
    const reply = await gateway.app.inject({
      method,
      url,
      payload: method === 'POST' ? 'no JSON' : undefined,
    });
    expect([url, reply.statusCode, reply.json()]).toEqual([
      url,
      501,
      { message: why, error: 'Not Implemented', statusCode: 501 },
    ]);
    const other = await gateway.app.inject({ method: 'DELETE', url });
    expect([other.statusCode, other.headers['allow']]).toEqual([405, expect.stringContaining(method)]);
  }
});

describe('a wrong parameter is a 400 that names it', () => {
  test.each([
    [`${utxos}?pageSize=0`, 'pageSize: "0"'],
    [`${utxos}?pageSize=101`, 'pageSize: "101"'],
    [`${utxos}?pageSize=1.5`, 'pageSize: "1.5"'],
    [`${utxos}?pageSize=abc`, 'pageSize: "abc"'],
    [`${utxos}?pageSize=5&pageSize=6`, 'pageSize: given 2 times'],
    [`${utxos}?includeSpent=1`, 'includeSpent: "1"'],
    [`${utxos}?includeSpent=TRUE`, 'includeSpent: "TRUE"'],
    [`${utxos}?sortBy=size`, 'sortBy: "size"'],
    [`${utxos}?sortOrder=up`, 'sortOrder: "up"'],
    [`${utxos}?minUtxoAmount=-1`, 'minUtxoAmount: "-1"'],
    [`${utxos}?minUtxoAmount=lots`, 'minUtxoAmount: "lots"'],
    [`${utxos}?minUtxoAmount=NaN`, 'minUtxoAmount: "NaN"'],
    [`${utxos}?pageToken=abc`, 'pageToken: "abc" is not a page token'],
    [
      `${utxos}?pageToken=2c624232-cdd2-4771-a4d0-d5d5f5f0a4d8`,
      'pageToken: "2c624232-cdd2-4771-a4d0-d5d5f5f0a4d8" was not issued here',
    ],
    [`${utxos}?addresses=fuji1abc`, 'addresses: "fuji1abc" has a wrong bech32 checksum'],
    [`${utxos}?addresses=${mainnetAddress}`, `addresses: "${mainnetAddress}" does not begin with fuji1`],
    [`${utxos}?addresses=%00`, 'addresses: contains a zero character'],
    ['/v1/networks/fuji/blockchains/x-chain/utxos?assetId=AVAX', 'assetId: "AVAX" is not an id'],
    ['/v1/networks/main/blockchains/p-chain/utxos', 'network: "main" is not a network'],
    ['/v1/networks/fuji/blockchains/d-chain/utxos', 'blockchainId: "d-chain" is not a chain of fuji'],
    [
      '/v1/networks/fuji/blockchains/2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5/utxos',
      'blockchainId: "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5" is not a chain of fuji',
    ],
    ...['addresses=', 'addresses=,', 'addresses=,,', 'addresses=%20,%2C'].map((given): [string, string] => [
      `${utxos}?${given}`,
      'addresses: is empty; omit it',
    ]),
    [`${utxos}?addresses=a&addresses=b`, 'addresses: given 2 times; it may be given once, with commas'],
    ['/v1/networks/fuji/blockchains/x-chain/utxos?assetId=', 'assetId: "" is not an id'],
    ['/v1/icm/messages?from=&to=', 'from: "" is not an EVM address'],
    ['/v1/icm/messages?sourceBlockchainId=', 'sourceBlockchainId: "" is neither an EVM chain id'],
    ['/v1/icm/messages?blockchainId=&network=', 'blockchainId: "" is not an id'],
    ['/v1/chains?network=&feature=', 'network: "" is not a network'],
    [`${listInternals}?endBlock=`, 'endBlock: "" is not a block number'],
    [
      `${metrics}?startTimestamp=1793577600000`,
      'startTimestamp: "1793577600000" is after the year 9999; it must be Unix seconds, not milliseconds',
    ],
    [`${metrics}?endTimestamp=1.793577600e12`, 'endTimestamp: "1793577600000" is after the year 9999'],
    [`${metrics}?startTimestamp=`, 'startTimestamp: "" is not a whole number'],
    ['/v1/networks/fuji/blockchains//vertices', 'blockchainId: "" is not a chain'],
    [`${transaction}/abc`, 'txHash: "abc" is not an id'],
    [`${transaction}/${someHash.slice(0, -1)}D`, 'txHash: '],
  ])('%s', async (path, problem) => {
    const { status, body, headers } = await gateway.get(path);
    expect(status).toBe(400);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(body as object).sort()).toEqual(['error', 'message', 'statusCode']);
    expect(body).toMatchObject({ error: 'Bad Request', statusCode: 400 });
    expect([body.message].flat().join('\n')).toContain(problem);
  });

  test('every wrong one of a request is named at once', async () => {
    const { body } = await gateway.get(
      '/v1/networks/mars/blockchains/d-chain/utxos?pageSize=0&pageToken=x&addresses=a,b&includeSpent=y&sortBy=z&sortOrder=s&minUtxoAmount=-1',
    );
    const named = new Set((body.message as string[]).map((message) => message.split(':')[0]));
    expect([...named].sort()).toEqual([
      'addresses',
      'blockchainId',
      'includeSpent',
      'minUtxoAmount',
      'network',
      'pageSize',
      'pageToken',
      'sortBy',
      'sortOrder',
    ]);
  });

  test.each([
    [`${transaction}/${'a'.repeat(501)}`, 'txHash'],
    [`${transaction}/${'a'.repeat(12_000)}?pageSize=x`, 'txHash'],
    [`/v1/networks/${'b'.repeat(501)}/blockchains/p-chain/utxos`, 'network'],
    [`/v1/chains/43114/nfts/collections/0x${'1'.repeat(40)}/tokens/${'9'.repeat(501)}:reindex`, 'tokenId'],
    [`/v1/chains/${'7'.repeat(600)}/addresses/0x${'1'.repeat(40)}/transactions:listInternals`, 'chainId'],
  ])('a path segment over 500 characters is not echoed: %#', async (path, name) => {
    const { status, body } = await (path.endsWith(':reindex') ? gateway.post(path) : gateway.get(path));
    expect([status, body]).toEqual([
      400,
      { message: [`${name}: is longer than 500 characters`], error: 'Bad Request', statusCode: 400 },
    ]);
  });

  test('65 addresses are too many', async () => {
    const addresses = Array.from({ length: 65 }, (_, index) => testAddress(index)).join(',');
    const { status, body } = await gateway.get(`${utxos}?addresses=${addresses}`);
    expect(status).toBe(400);
    expect(body.message[0]).toContain('at most 64');
  });
});

describe('a name that is nearly that of a parameter is a 400 that spells it', () => {
  const composite = '/v2/lookingGlass/compositeQuery';
  const reindex = `/v1/chains/43113/nfts/collections/0x${'1'.repeat(40)}/tokens/1:reindex`;

  test.each([
    [utxos, 'addresses[]', 'addresses'],
    [utxos, 'addresses%5B%5D', 'addresses'],
    [utxos, 'addresses[0]', 'addresses'],
    [utxos, 'addresses.0', 'addresses'],
    [utxos, 'Addresses', 'addresses'],
    [utxos, 'address', 'addresses'],
    [utxos, 'adresses', 'addresses'],
    [utxos, 'addresses%20', 'addresses'],
    [utxos, 'page_size', 'pageSize'],
    [utxos, 'pagesize', 'pageSize'],
    [utxos, 'page-token', 'pageToken'],
    [utxos, 'asset_id', 'assetId'],
    [utxos, 'assetid', 'assetId'],
    [utxos, 'include_spent', 'includeSpent'],
    [utxos, 'minUtxoAmout', 'minUtxoAmount'],
    [utxos, 'sort_by', 'sortBy'],
    [utxos, 'sortOder', 'sortOrder'],
    ['/v1/icm/messages', 'From', 'from'],
    ['/v1/icm/messages', 'TO', 'to'],
    ['/v1/icm/messages', 'sourceBlockchainID', 'sourceBlockchainId'],
    ['/v1/icm/messages', 'blockchain_id', 'blockchainId'],
    ['/v1/networks/fuji/blockchains/x-chain/vertices', 'pageTokne', 'pageToken'],
    [listInternals, 'start_block', 'startBlock'],
    [listInternals, 'endblock', 'endBlock'],
    [metrics, 'start_timestamp', 'startTimestamp'],
    ['/v1/chains', 'Network', 'network'],
  ])('%s?%s', async (path, given, meant) => {
    const { status, body } = await gateway.get(`${path}?${given}=fuji1abc`);
    expect(status).toBe(400);
    expect(body.message).toContainEqual(
      `${meant}: was given as "${decodeURIComponent(given)}"; write ${meant}`,
    );
  });

  test('in the body of a composite query too, where it is a member of it, of a sub-query or of its parameters', async () => {
    const params = { evmChainId: '1', tokenType: 'NATIVE', minBalance: '1', contract_address: '0x1' };
    const queries = [{ id: 'a', Type: 'x', type: 'LatestBalance', params }];
    const json = { 'content-type': 'application/json' };
    const sent = JSON.stringify({ operator: 'AND', queries, page_size: 5, pagetoken: 'x' });
    const { status, body } = await gateway.post(`${composite}?pagesize=1`, json, sent);
    expect(status).toBe(400);
    const near = [
      'pageSize: was given as "pagesize"; write pageSize',
      'pageSize: was given as "page_size"; write pageSize',
      'pageToken: was given as "pagetoken"; write pageToken',
      'sub-query "a": type: was given as "Type"; write type',
      'sub-query "a": contractAddress: was given as "contract_address"; write contractAddress',
    ];
    expect(body.message).toEqual(expect.arrayContaining(near));
  });

  test.each([
    [
      'utm_source=x&utm_medium=y&fbclid=z&_=1793577600&t=1&ts=1&v=2&cb=3&timestamp=4&nocache=1&key=5&format=json',
    ],
    ['limit=5&page=2&offset=3&cursor=x&sort=asc&order=desc&q=1&id=7&lang=en&api_key=1&token=x&callback=f'],
    [`${'a&'.repeat(3000)}b=c`],
    [`${'x'.repeat(6000)}=1`],
  ])('names of other things are passed over: %#', async (query) => {
    for (const path of [utxos, '/v1/icm/messages', '/v1/chains'])
      expect((await gateway.get(`${path}?${query}`)).status).toBe(200);
    expect((await gateway.post(`${reindex}?${query}`)).status).not.toBe(400);
  });
});

describe('what is allowed is not refused', () => {
  test.each([
    `${utxos}?pageToken=&pageSize=`,
    `${utxos}?unknown=1&minUtxoAmount=1e%2B21`,
    `${utxos}?minUtxoAmount=0.5`,
    `${utxos}?minUtxoAmount=+1e+21`,
    `${utxos}?minUtxoAmount=1e99999`,
    `${utxos}?minUtxoAmount=${'9'.repeat(3000)}`,
    `${utxos}?assetId=not-an-id`,
    '/v1/networks/testnet/blockchains/11111111111111111111111111111111LpoYY/utxos',
    '/v1/networks/fuji/blockchains/yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp/utxos/',
  ])('%s', async (path) => {
    const { status, body } = await gateway.get(path);
    expect([status, body.utxos]).toEqual([200, []]);
    expect(Object.keys(body as object)).not.toContain('nextPageToken');
    expect(body.chainInfo.network).toBe('fuji');
  });
});

describe('what is not there', () => {
  test('a well-formed transaction that is not stored is a 404', async () => {
    const { status, body } = await gateway.get(`${transaction}/${someHash}`);
    expect([status, body.error, body.statusCode]).toEqual([404, 'Not Found', 404]);
    expect(body.message).toContain(someHash);
  });

  test.each(['/v1', '/v1/nope', '/nothing', '/v2/x?y=1', '/v1/networks/fuji'])(
    'an unknown URL is a 404: %s',
    async (path) => {
      const { status, body, headers } = await gateway.get(path);
      expect([status, body.error, body.statusCode]).toEqual([404, 'Not Found', 404]);
      expect(headers['content-type']).toMatch(/^application\/json/);
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    '%s on a path for GET is a 405 that names what is allowed',
    async (method) => {
      const reply = await gateway.app.inject({
        method,
        url: vertices,
        payload: 'x',
        headers: { 'content-type': 'text/plain' },
      });
      expect(reply.statusCode).toBe(405);
      expect(reply.headers['allow']).toBe('GET, HEAD');
      expect(reply.json()).toMatchObject({ error: 'Method Not Allowed', statusCode: 405 });
    },
  );

  // Methods that a path refuses by name, those that Fastify knows in addition, and those that only the HTTP
  // parser knows: that of Node 20.19 does not know QUERY, which is no HTTP to it.
  const methods = ['POST', 'TRACE', 'QUERY', 'PROPFIND'].filter((method) => METHODS.includes(method));
  test.each(methods)('%s over a socket is a 405 too', async (method) => {
    const asked = request(`${origin}${vertices}`, { method }).end();
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    const body = JSON.parse((await reply.toArray()).join('')) as object;
    expect([reply.statusCode, body]).toEqual([405, expect.objectContaining({ statusCode: 405 })]);
    expect(reply.headers['allow']).toBe('GET, HEAD');
  });

  test.each([utxos, '/v1/nope', '/graphql', '/'])(
    'OPTIONS that is no preflight has no error: %s',
    async (url) => {
      const reply = await gateway.app.inject({ method: 'OPTIONS', url });
      expect([reply.statusCode, reply.body]).toEqual([204, '']);
    },
  );

  test('HEAD answers like GET, without a body', async () => {
    const reply = await gateway.app.inject({ method: 'HEAD', url: utxos });
    expect([reply.statusCode, reply.body]).toEqual([200, '']);
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
  });

  test.each([
    '/v1/%E0%A4%A',
    `/v1/networks/fuji/blockchains/p-chain/transactions/${'a'.repeat(3000)}`,
    '/v1/networks/%00/blockchains/p-chain/utxos',
  ])('a URL that cannot be read is a client error in the same form: %s', async (path) => {
    const { status, body } = await gateway.get(path);
    expect([400, 404]).toContain(status);
    expect(body.statusCode).toBe(status);
  });
});

/** A valid fuji address of 20 bytes that belong to nobody. */
function testAddress(index: number): string {
  return formatAddress('fuji', new Uint8Array(20).fill(index));
}
