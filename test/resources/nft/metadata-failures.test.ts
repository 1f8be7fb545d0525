import { createPublicClient, encodeErrorResult, http, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveHttp } from '../../harness/loopback.js';
import { address, type MetadataReader, openMetadataReader } from '../../harness/metadata-reader.js';

let reader: MetadataReader;
beforeAll(async () => {
  reader = await openMetadataReader((_request, response) => response.end('{}'));
});
afterAll(() => reader.close());

const fails = (reason: string, message: RegExp, retryable: boolean) => ({
  name: 'MetadataError',
  reason,
  message: expect.stringMatching(message) as string,
  retryable,
});

describe('a token without readable metadata', () => {
  test('fails with what the contract said', async () => {
    await expect(reader.read({})).rejects.toMatchObject(fails('no-metadata-address', /no such token/, false));
  });

  test('fails where the contract answers an empty address', async () => {
    const empty = reader.read({ tokenURI: () => '', uri: () => '' });
    await expect(empty).rejects.toMatchObject(fails('no-metadata-address', /neither tokenURI/, false));
  });

  test('fails without an RPC or a gateway, naming the setting', async () => {
    await expect(reader.read({}, { rpc: null })).rejects.toMatchObject(fails('no-rpc', /RPC_URLS/, false));
    const ipfs = reader.read({ tokenURI: () => 'ipfs://QmHash' }, { gateways: false });
    await expect(ipfs).rejects.toMatchObject(fails('no-ipfs-gateway', /IPFS_GATEWAY/, false));
    const arweave = reader.read({ tokenURI: () => 'ar://hash' }, { gateways: false });
    await expect(arweave).rejects.toMatchObject(fails('no-arweave-gateway', /ARWEAVE_GATEWAY/, false));
  });

  test('fails for addresses of other kinds and of forbidden hosts', async () => {
    const swarm = reader.read({ tokenURI: () => 'bzz://hash' });
    await expect(swarm).rejects.toMatchObject(fails('scheme-refused', /bzz:/, false));
    const private_ = reader.read({ tokenURI: () => 'http://169.254.169.254/latest/meta-data' });
    await expect(private_).rejects.toMatchObject(fails('address-refused', /169\.254\.169\.254/, false));
    const relative = reader.read({ tokenURI: () => '/etc/passwd' });
    await expect(relative).rejects.toMatchObject(fails('address-malformed', /passwd/, false));
  });

  test('fails when its RPC cannot be reached, without publishing where that is', async () => {
    const secret = reader.read({}, { rpc: { url: 'http://127.0.0.1:1/secret-key', trusted: true } });
    await expect(secret).rejects.toMatchObject(
      fails('unreachable', /^the chain's RPC cannot be reached/, true),
    );
    await expect(secret).rejects.not.toMatchObject({
      message: expect.stringMatching(/secret|127/) as string,
    });
  });

  test.each([
    ['HTML', '<html>', 200, 'rpc-invalid'],
    ['nothing', '', 200, 'rpc-invalid'],
    ['null', 'null', 200, 'rpc-invalid'],
    ['a list', '[]', 200, 'rpc-invalid'],
    ['a number as result', '{"jsonrpc":"2.0","id":1,"result":5}', 200, 'rpc-invalid'],
    ['an odd result', '{"jsonrpc":"2.0","id":1,"result":"0x123"}', 200, 'rpc-invalid'],
    [
      'an error',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}',
      200,
      'rpc-failed',
    ],
    ['an error without code', '{"jsonrpc":"2.0","id":1,"error":"busy"}', 200, 'rpc-failed'],
    ['status 503', 'busy', 503, 'rpc-failed'],
    ['status 429', '{}', 429, 'rpc-failed'],
    ['status 204', '', 204, 'rpc-invalid'],
    ['a redirect', '', 302, 'redirect-refused'],
    ['five megabytes', `"${'x'.repeat(5 * 1024 * 1024)}"`, 200, 'too-large'],
  ])('fails when its RPC answers %s', async (_what, body, status, reason) => {
    const broken = await serveHttp((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' }).end(body);
    });
    try {
      const reading = reader.read({}, { rpc: { url: broken.url, trusted: true } });
      await expect(reading).rejects.toMatchObject({ name: 'MetadataError', reason });
    } finally {
      await broken.close();
    }
  });

  test('does not follow the address of an OffchainLookup revert (ERC-3668)', async () => {
    const abi = parseAbi([
      'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
      'function tokenURI(uint256 tokenId) view returns (string)',
    ]);
    const data = encodeErrorResult({
      abi,
      errorName: 'OffchainLookup',
      args: [address, [`${reader.webUrl}/{sender}/{data}`], '0x12', '0x12345678', '0x'],
    });
    const lookup = await serveHttp((_request, response) => {
      const error = { code: 3, message: 'execution reverted', data };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    });
    const reading = reader.read({}, { rpc: { url: lookup.url, trusted: true } });
    await expect(reading).rejects.toMatchObject({ reason: 'no-metadata-address' });
    expect(reader.asked()).toEqual([]);
    // The revert is a real one: viem's own call follows it.
    const client = createPublicClient({ transport: http(lookup.url, { retryCount: 0 }) });
    await client.readContract({ address, abi, functionName: 'tokenURI', args: [1n] }).catch(() => {});
    expect(reader.asked()).not.toEqual([]);
    await lookup.close();
  });
});
