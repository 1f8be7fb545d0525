import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../../harness/app.js';
import { serveJsonRpc } from '../../harness/json-rpc.js';
import { type LoopbackServer, serveHttp } from '../../harness/loopback.js';
import {
  createReindexingApp,
  erc721,
  hour,
  none,
  readToken,
  reindexPath,
  type ShownToken,
} from '../../harness/nft-api.js';

const erc1155 = `0x${'b2'.repeat(20)}`;
const inline = `0x${'c3'.repeat(20)}`;
const ipfs = `0x${'d4'.repeat(20)}`;
const page = `0x${'e5'.repeat(20)}`;

let gateway: TestApp;
let rpc: LoopbackServer;
let web: LoopbackServer;
const document = {
  name: 'Lantern',
  description: 'It glows.',
  image: 'ipfs://QmImage/1.png',
  attributes: [{ trait_type: 'Colour', value: 7, display_type: 'number' }],
  unknown: { kept: true },
};
const raw = JSON.stringify(document);

beforeAll(async () => {
  web = await serveHttp((request, response) => {
    if (request.url?.endsWith('/missing')) response.writeHead(404).end();
    else if (request.url?.endsWith('/page'))
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html></html>');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(raw);
  });
  rpc = await serveJsonRpc({
    [erc721.toLowerCase()]: { tokenURI: (id) => `${web.url}/${id === 404n ? 'missing' : id}` },
    [erc1155]: { uri: () => `${web.url}/multi/{id}` },
    [inline]: { tokenURI: () => `data:application/json;base64,${Buffer.from(raw).toString('base64')}` },
    [ipfs]: { tokenURI: (id) => `ipfs://QmHash/${id}` },
    [page]: { tokenURI: () => `${web.url}/page` },
    [none]: {},
  });
  gateway = await createReindexingApp(rpc.url, { IPFS_GATEWAY: `${web.url}/gateway` });
});

afterAll(async () => {
  await gateway.close();
  await rpc.close();
  await web.close();
});

async function settled(address: string, tokenId: string | bigint): Promise<ShownToken> {
  for (;;) {
    const token = await readToken(gateway, address, tokenId);
    if (token && ['DONE', 'FAILED'].includes(token.metadataStatus)) return token;
    await sleep(20);
  }
}

describe('a token that is reindexed', () => {
  test.each([
    ['ERC-721', erc721, 1n, 'ERC_721', () => `${web.url}/1`],
    ['ERC-1155', erc1155, 2n ** 256n - 1n, 'ERC_1155', () => `${web.url}/multi/${'f'.repeat(64)}`],
    ['data:', inline, 3n, 'ERC_721', () => 'data:application/json;base64,'],
    ['ipfs:', ipfs, 4n, 'ERC_721', () => 'ipfs://QmHash/4'],
  ])('shows its metadata in GraphQL, %s', async (_kind, address, tokenId, standard, found) => {
    const reply = await gateway.post(reindexPath(address, tokenId));
    expect([reply.status, reply.text, reply.headers['content-length']]).toEqual([201, '', '0']);
    const token = await settled(address, tokenId);
    expect(token).toMatchObject({
      chainId: '43113',
      tokenId: tokenId.toString(),
      owner: null,
      metadataStatus: 'DONE',
      failureReason: null,
      lastReindexAt: Math.floor(gateway.clock.now / 1000),
      nextReindexAt: Math.ceil((gateway.clock.now + hour) / 1000),
      metadata: {
        standard,
        address: expect.stringContaining(found()) as string,
        name: 'Lantern',
        description: 'It glows.',
        image: 'ipfs://QmImage/1.png',
        attributes: [{ traitType: 'Colour', value: '7', displayType: 'number' }],
        raw,
      },
    });
    expect((token['address'] as string).toLowerCase()).toBe(address.toLowerCase());
    const { data } = await gateway.graphql(
      'query ($id: ID!) { node(id: $id) { id ... on NftToken { tokenId } } }',
      {
        id: token.id,
      },
    );
    expect(data).toEqual({ node: { id: token.id, tokenId: tokenId.toString() } });
  });

  test.each([
    ['its document is missing', erc721, '404', /answered with status 404/],
    ['its document is a web page', page, '1', /HTML|JSON/],
    ['its contract does not know it', none, '1', /neither tokenURI.* nor uri/],
  ])('says why it has none when %s', async (_why, address, tokenId, reason) => {
    expect((await gateway.post(reindexPath(address, tokenId))).status).toBe(201);
    const token = await settled(address, tokenId);
    expect(token).toMatchObject({ metadataStatus: 'FAILED', metadata: null });
    expect(token.failureReason).toMatch(reason);
    expect((await gateway.post(reindexPath(address, tokenId))).status).toBe(429);
  });
});
