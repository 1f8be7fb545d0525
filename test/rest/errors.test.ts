import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatAddress } from '../../src/avalanche/address.js';
import { createApp, type TestApp } from '../harness/app.js';

const utxos = '/v1/networks/fuji/blockchains/p-chain/utxos';
const transaction = '/v1/networks/fuji/blockchains/p-chain/transactions';
const someHash = '2rQU7nLtsP5BUaz8EtRcmH5W8e7MqdPZe55Zc4Kc5yrVgkLbmC';
const mainnetAddress = 'avax1yu8wlxfdkj8mnca60jwwzvfyqzd6xlnf635tld';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => gateway.close());

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
    [`${utxos}?addresses=%00`, 'addresses: holds a zero character'],
    ['/v1/networks/fuji/blockchains/x-chain/utxos?assetId=AVAX', 'assetId: "AVAX" is not an id'],
    ['/v1/networks/main/blockchains/p-chain/utxos', 'network: "main" is not a network'],
    ['/v1/networks/fuji/blockchains/d-chain/utxos', 'blockchainId: "d-chain" is not a chain of fuji'],
    [
      '/v1/networks/fuji/blockchains/2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5/utxos',
      'blockchainId: "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5" is not a chain of fuji',
    ],
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

describe('what is allowed is not refused', () => {
  test.each([
    `${utxos}?pageToken=&addresses=&assetId=&sortBy=`,
    `${utxos}?unknown=1&minUtxoAmount=1e%2B21`,
    `${utxos}?minUtxoAmount=0.5&addresses=,,`,
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
  test('a well-formed transaction that is not held is a 404', async () => {
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
        url: utxos,
        payload: 'x',
        headers: { 'content-type': 'text/plain' },
      });
      expect(reply.statusCode).toBe(405);
      expect(reply.headers['allow']).toBe('GET, HEAD');
      expect(reply.json()).toMatchObject({ error: 'Method Not Allowed', statusCode: 405 });
    },
  );

  // What a path refuses by name, what Fastify knows beyond that, and what only the HTTP parser knows.
  test.each(['POST', 'TRACE', 'QUERY', 'PROPFIND'])('%s over a socket is a 405 too', async (method) => {
    const { port } = gateway.app.server.address() as AddressInfo;
    const asked = request({ host: '127.0.0.1', port, method, path: utxos }).end();
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

/** A valid fuji address of 20 bytes that are nobody's. */
function testAddress(index: number): string {
  return formatAddress('fuji', new Uint8Array(20).fill(index));
}
