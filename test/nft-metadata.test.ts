import { gzipSync } from 'node:zlib';
import { createPublicClient, encodeErrorResult, http, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeConfig, loadConfig } from '../src/config.js';
import { readMetadata, type TokenMetadata } from '../src/jobs/metadata/read.js';
import type { Rpc } from '../src/jobs/metadata/rpc.js';
import { metadataSources } from '../src/jobs/metadata/sources.js';
import { createOutbound } from '../src/jobs/outbound/fetch.js';
import { type Contract, serveJsonRpc } from './harness/json-rpc.js';
import { type LoopbackServer, serveHttp } from './harness/loopback.js';

const document = {
  name: 'Aurora #1',
  description: 'A light.',
  image: 'ipfs://QmImage/1.png',
  attributes: [
    { trait_type: 'Colour', value: 'green' },
    { trait_type: 'Power', value: 12345678901234567890n, display_type: 'number' },
    { value: true },
    'nonsense',
  ],
  artist: 'kept in raw',
};
const text = JSON.stringify(document, (_key, value: unknown) =>
  typeof value === 'bigint' ? '#BIG' : value,
).replace('"#BIG"', '12345678901234567890');

const address = `0x${'ab'.repeat(20)}` as const;
const contract: Contract = {};
let rpc: LoopbackServer;
let web: LoopbackServer;
let asked: string[];

beforeAll(async () => {
  rpc = await serveJsonRpc({ [address]: contract });
  web = await serveHttp((request, response) => {
    asked.push(request.url!);
    if (request.url === '/moved') {
      response.writeHead(301, { location: '/1.json' }).end();
      return;
    }
    response.setHeader(
      'content-type',
      request.url === '/octets' ? 'application/octet-stream' : 'application/json',
    );
    if (request.url === '/gzip') response.setHeader('content-encoding', 'gzip').end(gzipSync(text));
    else response.end(text);
  });
});

afterAll(async () => {
  await rpc.close();
  await web.close();
});

async function read(
  functions: Contract,
  options: { tokenId?: bigint; rpc?: Rpc | null; ipfsGateway?: string | null } = {},
): Promise<TokenMetadata> {
  delete contract.tokenURI;
  delete contract.uri;
  Object.assign(contract, functions);
  asked = [];
  const sources = {
    outbound: createOutbound({ allowLoopback: true }),
    rpcOf: () => Promise.resolve(options.rpc === undefined ? { url: rpc.url, trusted: true } : options.rpc),
    ipfsGateway: options.ipfsGateway === null ? undefined : (options.ipfsGateway ?? `${web.url}/gateway/`),
  };
  const token = { evmChainId: 43113n, address, tokenId: options.tokenId ?? 1n };
  return readMetadata(token, sources, new AbortController().signal);
}

const fails = (reason: string, message: RegExp, retryable: boolean) => ({
  name: 'MetadataError',
  reason,
  message: expect.stringMatching(message) as string,
  retryable,
});

describe('the metadata of a token', () => {
  it('is read from the web address that tokenURI of an ERC-721 contract gives', async () => {
    const metadata = await read({ tokenURI: (id) => `${web.url}/${id}.json` });
    expect(asked).toEqual(['/1.json']);
    expect(metadata).toEqual({
      standard: 'ERC-721',
      metadataAddress: `${web.url}/1.json`,
      document: {
        name: 'Aurora #1',
        description: 'A light.',
        image: 'ipfs://QmImage/1.png',
        attributes: [
          { traitType: 'Colour', value: 'green', displayType: null },
          { traitType: 'Power', value: '12345678901234567890', displayType: 'number' },
          { traitType: null, value: 'true', displayType: null },
        ],
        raw: text,
      },
    });
  });

  it('is read from the address that uri of an ERC-1155 contract gives, with the id in 64 hex digits', async () => {
    const tokenId = 0xabcdefn;
    const hex = '0'.repeat(58) + 'abcdef';
    const metadata = await read({ uri: () => `${web.url}/{id}.json?again={id}` }, { tokenId });
    expect(asked).toEqual([`/${hex}.json?again=${hex}`]);
    expect(metadata.standard).toBe('ERC-1155');
  });

  it('has the id in the strings of an ERC-1155 document, and not in those of an ERC-721 one', async () => {
    const inline = `data:application/json,{"name":"{id}","image":"ipfs://x/{id}.png"}`;
    const multi = await read({ uri: () => inline }, { tokenId: 2n ** 256n - 1n });
    expect(multi.document.name).toBe('f'.repeat(64));
    expect(multi.document.image).toBe(`ipfs://x/${'f'.repeat(64)}.png`);
    expect((await read({ tokenURI: () => inline })).document.name).toBe('{id}');
  });

  it('is read through the configured gateway for ipfs addresses', async () => {
    await read({ tokenURI: (id) => `ipfs://QmHash/folder/${id}.json` });
    expect(asked).toEqual(['/gateway/ipfs/QmHash/folder/1.json']);
  });

  it('follows redirects, unpacks gzip and takes JSON that a server calls octets', async () => {
    expect((await read({ tokenURI: () => `${web.url}/moved` })).document.name).toBe('Aurora #1');
    expect((await read({ tokenURI: () => `${web.url}/gzip` })).document.name).toBe('Aurora #1');
    expect((await read({ tokenURI: () => `${web.url}/octets` })).document.name).toBe('Aurora #1');
  });

  const name = 'Grün #1 100% 🏔 "x"';
  const json = JSON.stringify({ name });
  it.each([
    ['plain', `data:application/json,${json}`],
    ['plain with utf8', `data:application/json;utf8,${json}`],
    ['percent-encoded', `data:application/json;charset=utf-8,${encodeURIComponent(json)}`],
    ['base64', `data:application/json;base64,${Buffer.from(json).toString('base64')}`],
    ['base64 for addresses', `data:application/json;base64,${Buffer.from(json).toString('base64url')}`],
    ['untyped', `data:,${encodeURIComponent(json)}`],
    ['upper case', `DATA:Application/JSON;BASE64,${Buffer.from(json).toString('base64')}`],
    [
      'with a byte order mark',
      `data:application/json;base64,${Buffer.from(`\ufeff${json}`).toString('base64')}`,
    ],
  ])('is read from a data: address, %s', async (_how, dataAddress) => {
    const metadata = await read({ tokenURI: () => dataAddress });
    expect(metadata.document.name).toBe(name);
    expect(metadata.metadataAddress.length).toBeLessThanOrEqual(64);
  });

  it('keeps percent signs in the strings of JSON that is not encoded', async () => {
    const image = 'https://x.example/a%20b%22.png';
    const metadata = await read({ tokenURI: () => `data:application/json,${JSON.stringify({ image })}` });
    expect(metadata.document.image).toBe(image);
  });

  it('keeps an SVG with a script as text', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const inline = JSON.stringify({ image_data: svg, attributes: { Eyes: 'blue', Age: { value: 3 } } });
    const metadata = await read({ tokenURI: () => `data:application/json,${inline}` });
    expect(metadata.document.image).toBe(svg);
    expect(metadata.document.attributes).toEqual([
      { traitType: 'Eyes', value: 'blue', displayType: null },
      { traitType: 'Age', value: '3', displayType: null },
    ]);
  });

  it('is bounded: long names are cut, images too long to keep are left to the raw document', async () => {
    const inline = JSON.stringify({
      name: 'n'.repeat(5_000),
      image: 'i'.repeat(100_000),
      attributes: Array.from({ length: 2_000 }, (_each, index) => ({ trait_type: 't', value: index })),
    });
    const metadata = await read({ tokenURI: () => `data:application/json,${inline}` });
    expect(metadata.document.name).toHaveLength(1_000);
    expect(metadata.document.image).toBeNull();
    expect(metadata.document.attributes).toHaveLength(500);
    expect(metadata.document.raw).toBe(inline);
  });

  it('holds nothing that PostgreSQL cannot, and nothing from a prototype', async () => {
    const inline = String.raw`{"name":"a\u0000b\ud800","__proto__":{"description":"inherited"},"attributes":7}`;
    const metadata = await read({ tokenURI: () => `data:application/json,${inline}` });
    expect(metadata.document).toEqual({
      name: 'ab\ufffd',
      description: null,
      image: null,
      attributes: [],
      raw: inline,
    });
  });
});

describe('the RPC of a chain', () => {
  const settings = { RPC_URLS: { 43113: 'http://127.0.0.1:1/' }, IPFS_GATEWAY: undefined };

  it('is the one that the operator set, which is trusted, before an imported one, which is not', async () => {
    const imported = 'https://imported.example';
    const sources = metadataSources({ ...settings, FETCH_ALLOW_LOOPBACK: false }, () =>
      Promise.resolve(imported),
    );
    expect(await sources.rpcOf(43113n)).toEqual({ url: 'http://127.0.0.1:1/', trusted: true });
    expect(await sources.rpcOf(43114n)).toEqual({ url: imported, trusted: false });
    const none = metadataSources({ ...settings, FETCH_ALLOW_LOOPBACK: false }, () => Promise.resolve(null));
    expect(await none.rpcOf(1n)).toBeNull();
  });

  it('is refused as a setting when it is no address, without printing it', () => {
    const load = () => loadConfig({ RPC_URLS: '{"43114":"ftp://key"}' });
    expect(load).toThrow(/^wrong settings in the environment:\n {2}RPC_URLS: its value/);
    expect(load).not.toThrow(/ftp/);
    expect(loadConfig({ RPC_URLS: '{"43114":"https://rpc.example/key/"}' }).RPC_URLS).toEqual({
      43114: 'https://rpc.example/key',
    });
    expect(
      describeConfig({ RPC_URLS: '{"1":"key"}' }).find(({ name }) => name === 'RPC_URLS')!.value,
    ).not.toContain('key');
  });
});

describe('a token without readable metadata', () => {
  it('fails with what the contract said', async () => {
    await expect(read({})).rejects.toMatchObject(fails('no-metadata-address', /no such token/, false));
  });

  it('fails where the contract answers an empty address', async () => {
    const empty = read({ tokenURI: () => '', uri: () => '' });
    await expect(empty).rejects.toMatchObject(fails('no-metadata-address', /neither tokenURI/, false));
  });

  it('fails without an RPC or an IPFS gateway, naming the setting', async () => {
    await expect(read({}, { rpc: null })).rejects.toMatchObject(fails('no-rpc', /RPC_URLS/, false));
    const ipfs = read({ tokenURI: () => 'ipfs://QmHash' }, { ipfsGateway: null });
    await expect(ipfs).rejects.toMatchObject(fails('no-ipfs-gateway', /IPFS_GATEWAY/, false));
  });

  it('fails for addresses of other kinds and of forbidden hosts', async () => {
    const arweave = read({ tokenURI: () => 'ar://hash' });
    await expect(arweave).rejects.toMatchObject(fails('scheme-refused', /ar:/, false));
    const private_ = read({ tokenURI: () => 'http://169.254.169.254/latest/meta-data' });
    await expect(private_).rejects.toMatchObject(fails('address-refused', /169\.254\.169\.254/, false));
    const relative = read({ tokenURI: () => '/etc/passwd' });
    await expect(relative).rejects.toMatchObject(fails('address-malformed', /passwd/, false));
  });

  it('fails when its RPC cannot be reached, without publishing where that is', async () => {
    const secret = read({}, { rpc: { url: 'http://127.0.0.1:1/secret-key', trusted: true } });
    await expect(secret).rejects.toMatchObject(
      fails('unreachable', /^the chain's RPC cannot be reached/, true),
    );
    await expect(secret).rejects.not.toMatchObject({
      message: expect.stringMatching(/secret|127/) as string,
    });
  });

  it.each([
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
      const reading = read({}, { rpc: { url: broken.url, trusted: true } });
      await expect(reading).rejects.toMatchObject({ name: 'MetadataError', reason });
    } finally {
      await broken.close();
    }
  });

  it('does not follow the address of an OffchainLookup revert (ERC-3668)', async () => {
    const abi = parseAbi([
      'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
      'function tokenURI(uint256 tokenId) view returns (string)',
    ]);
    const data = encodeErrorResult({
      abi,
      errorName: 'OffchainLookup',
      args: [address, [`${web.url}/{sender}/{data}`], '0x12', '0x12345678', '0x'],
    });
    const lookup = await serveHttp((_request, response) => {
      const error = { code: 3, message: 'execution reverted', data };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    });
    const reading = read({}, { rpc: { url: lookup.url, trusted: true } });
    await expect(reading).rejects.toMatchObject({ reason: 'no-metadata-address' });
    expect(asked).toEqual([]);
    // The revert is a real one: viem's own call follows it.
    const client = createPublicClient({ transport: http(lookup.url, { retryCount: 0 }) });
    await client.readContract({ address, abi, functionName: 'tokenURI', args: [1n] }).catch(() => {});
    expect(asked).not.toEqual([]);
    await lookup.close();
  });
});
