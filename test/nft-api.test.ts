import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobTimes } from '../src/jobs/queue.js';
import { createApp, type TestApp } from './harness/app.js';
import { serveJsonRpc } from './harness/json-rpc.js';
import { type LoopbackServer, serveHttp } from './harness/loopback.js';

const times: JobTimes = { run: 5, lost: 8, maintenance: 1, poll: 0.05, retryDelay: 1, retries: 1 };
const hour = 3_600_000;
const erc721 = `0xA1${'a1'.repeat(19)}`;
const erc1155 = `0x${'b2'.repeat(20)}`;
const inline = `0x${'c3'.repeat(20)}`;
const ipfs = `0x${'d4'.repeat(20)}`;
const page = `0x${'e5'.repeat(20)}`;
const none = `0x${'f6'.repeat(20)}`;
const fujiC = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp';

const pathOf = (address: string, tokenId: string | bigint, chainId = '43113', colon = ':') =>
  `/v1/chains/${chainId}/nfts/collections/${address}/tokens/${tokenId}${colon}reindex`;

const tokenQuery = /* GraphQL */ `
  query Token($chainId: String = "43113", $address: String!, $tokenId: BigNumber!) {
    nftToken(chainId: $chainId, address: $address, tokenId: $tokenId) {
      id
      chainId
      address
      tokenId
      owner
      metadataStatus
      failureReason
      lastReindexAt
      nextReindexAt
      metadata {
        standard
        address
        name
        description
        image
        attributes {
          traitType
          value
          displayType
        }
        raw
      }
    }
  }
`;

interface Token {
  id: string;
  metadataStatus: string;
  failureReason: string | null;
  nextReindexAt: number | null;
  [field: string]: unknown;
}

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
  gateway = await createApp(
    {
      WORKER: 'on',
      RPC_URLS: JSON.stringify({ 43113: rpc.url }),
      IPFS_GATEWAY: `${web.url}/gateway`,
      FETCH_ALLOW_LOOPBACK: 'true',
    },
    { times },
  );
});

afterAll(async () => {
  await gateway.close();
  await rpc.close();
  await web.close();
});

/** A reply with the body of a refusal. */
interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: { message: string | string[]; error: string; statusCode: number };
}

const refused = (app: TestApp, path: string): Promise<Refusal> => app.post(path);

async function tokenOf(address: string, tokenId: string | bigint, app = gateway): Promise<Token | null> {
  const { data } = await app.graphql<{ nftToken: Token | null }>(tokenQuery, {
    address,
    tokenId: `${tokenId}`,
  });
  return data.nftToken;
}

async function settled(address: string, tokenId: string | bigint): Promise<Token> {
  for (;;) {
    const token = await tokenOf(address, tokenId);
    if (token && ['DONE', 'FAILED'].includes(token.metadataStatus)) return token;
    await sleep(20);
  }
}

describe('a token that is reindexed', () => {
  it.each([
    ['ERC-721', erc721, 1n, 'ERC_721', () => `${web.url}/1`],
    ['ERC-1155', erc1155, 2n ** 256n - 1n, 'ERC_1155', () => `${web.url}/multi/${'f'.repeat(64)}`],
    ['data:', inline, 3n, 'ERC_721', () => 'data:application/json;base64,'],
    ['ipfs:', ipfs, 4n, 'ERC_721', () => 'ipfs://QmHash/4'],
  ])('shows its metadata in GraphQL, %s', async (_kind, address, tokenId, standard, found) => {
    const reply = await gateway.post(pathOf(address, tokenId));
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

  it.each([
    ['its document is missing', erc721, '404', /answered with status 404/],
    ['its document is a web page', page, '1', /HTML|JSON/],
    ['its contract does not know it', none, '1', /neither tokenURI.* nor uri/],
  ])('says why it has none when %s', async (_why, address, tokenId, reason) => {
    expect((await gateway.post(pathOf(address, tokenId))).status).toBe(201);
    const token = await settled(address, tokenId);
    expect(token).toMatchObject({ metadataStatus: 'FAILED', metadata: null });
    expect(token.failureReason).toMatch(reason);
    expect((await gateway.post(pathOf(address, tokenId))).status).toBe(429);
  });
});

describe('a request to reindex', () => {
  let next = 1_000;

  it.each([
    ['a literal colon', ':', {}, undefined],
    ['an escaped colon', '%3A', {}, undefined],
    ['an escaped colon in lower case', '%3a', {}, undefined],
    ['an empty body of a JSON type', ':', { 'content-type': 'application/json' }, undefined],
    [
      'an empty body of a JSON type and length 0',
      ':',
      { 'content-type': 'application/json', 'content-length': '0' },
      '',
    ],
    ['a body that nobody asked for', ':', { 'content-type': 'text/plain' }, 'hello'],
  ])('is accepted with %s', async (_how, colon, headers, body) => {
    const reply = await gateway.post(pathOf(none, `${next++}`, '43113', colon), headers, body);
    expect([reply.status, reply.text]).toEqual([201, '']);
  });

  it('may name the chain by its blockchain id, and the address in any case', async () => {
    const tokenId = `${next++}`;
    expect(
      (await gateway.post(pathOf(erc721.toUpperCase().replace('0X', '0x'), tokenId, fujiC))).status,
    ).toBe(201);
    expect((await gateway.post(pathOf(erc721.toLowerCase(), tokenId))).status).toBe(429);
    expect(await tokenOf(erc721, tokenId)).toMatchObject({ chainId: '43113', tokenId });
  });

  it.each([
    [pathOf('0x12', '1'), ['address: "0x12"']],
    [pathOf(none, 'abc'), ['tokenId: "abc"']],
    [pathOf(none, '-1'), ['tokenId: "-1"']],
    [pathOf(none, '1.5'), ['tokenId: "1.5"']],
    [pathOf(none, ''), ['tokenId: ""']],
    [pathOf(none, '1%2F2'), ['tokenId: "1/2"']],
    [pathOf(none, '1:2'), ['tokenId: "1:2"']],
    [pathOf(none, '0x1'), ['tokenId: "0x1"']],
    [pathOf(none, 2n ** 256n), [`tokenId: "${2n ** 256n}"`]],
    [pathOf(none, '1'.repeat(100)), ['tokenId: "111']],
    [pathOf('me', 'x', 'c-chain'), ['chainId: "c-chain"', 'address: "me"', 'tokenId: "x"']],
  ])('with malformed parameters is a 400 that names each: %s', async (path, problems) => {
    const { status, body } = await refused(gateway, path);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Bad Request', statusCode: 400 });
    const messages = [body.message].flat();
    expect(messages).toHaveLength(problems.length);
    problems.forEach((problem, index) => expect(messages[index]).toContain(problem));
  });

  it('for an unknown chain is a 404, on both doors', async () => {
    const { status, body } = await refused(gateway, pathOf(none, '1', '999999'));
    expect(status).toBe(404);
    expect(body).toEqual({
      message: 'The chain 999999 is not held here',
      error: 'Not Found',
      statusCode: 404,
    });
    expect((await reindex('999999', none, '1')).errors?.[0]?.extensions['code']).toBe('NOT_FOUND');
    const huge = (2n ** 200n).toString();
    expect((await gateway.post(pathOf(none, '1', huge))).status).toBe(404);
  });

  it('by another method is a 405', async () => {
    const { status, headers } = await gateway.get(pathOf(none, '1'));
    expect([status, headers['allow']]).toEqual([405, 'POST']);
  });

  it('within the hour is a 429 that names the token and says when, whichever door either came by', async () => {
    const tokenId = `${next++}`;
    const accepted = await reindex('43113', none, tokenId);
    expect(accepted.data).toEqual({
      reindexNft: {
        token: expect.objectContaining({ tokenId }) as object,
        nextReindexAt: Math.ceil((gateway.clock.now + hour) / 1000),
      },
    });
    gateway.clock.now += 600_000;
    const { status, headers, body } = await refused(gateway, pathOf(none, tokenId));
    expect(status).toBe(429);
    expect([headers['retry-after'], headers['ratelimit-reset']]).toEqual(['3000', '3000']);
    expect(body).toMatchObject({ error: 'Too Many Requests', statusCode: 429 });
    expect(body.message).toMatch(new RegExp(`token ${tokenId} of 0xf6.* 3000 seconds`, 'i'));
    const reply = await gateway.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ query: mutation, variables: { chainId: '43113', address: none, tokenId } }),
    });
    expect([reply.statusCode, reply.headers['retry-after'], reply.headers['ratelimit-reset']]).toEqual([
      429,
      '3000',
      '3000',
    ]);
    expect(reply.json()).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 3000 } }],
    });
    gateway.clock.now += 3_000_000;
    expect((await tokenOf(none, tokenId))?.nextReindexAt).toBeNull();
    expect((await gateway.post(pathOf(none, tokenId))).status).toBe(201);
  });

  it('takes a token id in GraphQL digit by digit', async () => {
    const tokenId = '9007199254740993';
    const { data } = await gateway.graphql(
      `mutation { reindexNft(chainId: "43113", address: "${none}", tokenId: ${tokenId}) { token { tokenId } } }`,
    );
    expect(data).toEqual({ reindexNft: { token: { tokenId } } });
    const { errors } = await gateway.graphql(
      `mutation { reindexNft(chainId: "43113", address: "${none}", tokenId: "${2n ** 256n}") { nextReindexAt } }`,
    );
    expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  });
});

const mutation = /* GraphQL */ `
  mutation ($chainId: String!, $address: String!, $tokenId: BigNumber!) {
    reindexNft(chainId: $chainId, address: $address, tokenId: $tokenId) {
      token {
        id
        tokenId
      }
      nextReindexAt
    }
  }
`;

const reindex = (chainId: string, address: string, tokenId: string, app = gateway) =>
  app.graphql(mutation, { chainId, address, tokenId });

describe('the right to reindex', () => {
  let strict: TestApp;
  beforeAll(async () => {
    const env = { RPC_URLS: JSON.stringify({ 43113: rpc.url }), REINDEX_REQUIRES_KEY: 'true' };
    strict = await createApp(env);
  });
  afterAll(() => strict.close());

  it('is denied to anonymous callers with REINDEX_REQUIRES_KEY, as a 401 on both doors', async () => {
    const { status, body } = await refused(strict, pathOf(none, '1'));
    expect([status, body.error]).toEqual([401, 'Unauthorized']);
    expect((await reindex('43113', none, '1', strict)).errors?.[0]?.extensions['code']).toBe(
      'UNAUTHENTICATED',
    );
    expect(await tokenOf(none, '1', strict)).toBeNull();
  });

  it.each([
    ['a key with the right', { rights: null }, true, undefined],
    ['a key without it', { rights: [] }, false, 'FORBIDDEN'],
    ['a key without it where one is needed', { rights: [] }, true, 'FORBIDDEN'],
    ['nobody', undefined, false, undefined],
    ['nobody where a key is needed', undefined, true, 'UNAUTHENTICATED'],
  ] as const)('of %s', async (who, key, keyRequired, code) => {
    const { app, services } = keyRequired ? strict : gateway;
    const created =
      key &&
      (await services.accessControl.keys.create({
        name: who,
        plan: 'free',
        rights: key.rights,
        expiresAt: null,
      }));
    const reply = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: created ? { 'x-service-api-key': created.key } : {},
      payload: {
        query: mutation,
        variables: { chainId: '43113', address: none, tokenId: `${77_000 + who.length}` },
      },
    });
    const { errors } = reply.json<{ errors?: { extensions: { code: string } }[] }>();
    expect(errors?.[0]?.extensions.code).toBe(code);
  });
});

describe('the RPC of a chain', () => {
  const answers: Record<string, (id: number) => string> = {
    '/html': () => '<html>nginx</html>',
    '/empty': () => '',
    '/object': () => '{}',
    '/text': (id) => JSON.stringify({ jsonrpc: '2.0', id, result: 'fuji' }),
    '/other': (id) => JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }),
    '/unknown-method': (id) =>
      JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }),
  };
  const chains = Object.fromEntries(Object.keys(answers).map((path, index) => [path, 5_000 + index]));
  const gone = 6_000;
  const silent = 6_001;
  const broken = 6_002;
  let odd: LoopbackServer;
  let app: TestApp;
  let asked = 0;

  beforeAll(async () => {
    odd = await serveHttp((request, response) => {
      void (async () => {
        asked += 1;
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number };
        if (request.url === '/silent') return;
        if (request.url === '/broken') response.writeHead(500).end('oops');
        else response.end(answers[request.url ?? '']?.(id));
      })();
    });
    const closed = await serveHttp(() => {});
    await closed.close();
    app = await createApp({
      RPC_URLS: JSON.stringify({
        ...Object.fromEntries(Object.entries(chains).map(([path, chain]) => [chain, odd.url + path])),
        [gone]: closed.url,
        [silent]: `${odd.url}/silent`,
        [broken]: `${odd.url}/broken`,
      }),
    });
  });
  afterAll(async () => {
    await app.close();
    await odd.close();
  });

  it.each(['/html', '/empty', '/object', '/text', '/other'])(
    'that answers nonsense is a 502: %s',
    async (path) => {
      const chain = `${chains[path]}`;
      const { status, body } = await refused(app, pathOf(none, '1', chain));
      expect(status).toBe(502);
      expect(body).toMatchObject({ error: 'Bad Gateway', statusCode: 502 });
      expect(body.message).toContain(`RPC of the chain ${chain}`);
      expect((await reindex(chain, none, '1', app)).errors?.[0]?.extensions['code']).toBe('BAD_GATEWAY');
      const { data } = await app.graphql(tokenQuery, { chainId: chain, address: none, tokenId: '1' });
      expect(data).toEqual({ nftToken: null });
    },
  );

  it('that answers with a server error is a 502', async () => {
    expect((await app.post(pathOf(none, '1', `${broken}`))).status).toBe(502);
  });

  it('that does not know eth_chainId is taken for sound', async () => {
    expect((await app.post(pathOf(none, '1', `${chains['/unknown-method']}`))).status).toBe(201);
  });

  it.each([
    ['is absent', '43114', /There is no RPC for the chain 43114: .*RPC_URLS/],
    ['cannot be reached', `${gone}`, /cannot be reached.*RPC_URLS/],
    ['does not answer', `${silent}`, /did not answer.*RPC_URLS/],
  ])('that %s is a 503 that names the setting', async (_how, chain, message) => {
    const { status, headers, body } = await refused(app, pathOf(none, '1', chain));
    expect(status).toBe(503);
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(headers['ratelimit-reset']).toBeUndefined();
    expect(body.message).toMatch(message);
    expect(body.message).not.toContain('127.0.0.1');
  });

  it('is asked once for many requests', async () => {
    const fresh = await createApp({ RPC_URLS: JSON.stringify({ 7000: `${odd.url}/unknown-method` }) });
    asked = 0;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fresh.post(pathOf(none, `${index}`, '7000'))),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect((await fresh.post(pathOf(none, '20', '7000'))).status).toBe(201);
    expect(asked).toBe(1);
    await fresh.close();
  });
});
