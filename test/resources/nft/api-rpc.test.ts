import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { type LoopbackServer, serveHttp } from '../../harness/loopback.js';
import { none, refused, reindex, reindexPath, tokenQuery } from '../../harness/nft-api.js';

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

  test.each(['/html', '/empty', '/object', '/text', '/other'])(
    'that answers nonsense is a 502: %s',
    async (path) => {
      const chain = `${chains[path]}`;
      const { status, body } = await refused(app, reindexPath(none, '1', chain));
      expect(status).toBe(502);
      expect(body).toMatchObject({ error: 'Bad Gateway', statusCode: 502 });
      expect(body.message).toContain(`RPC of the chain ${chain}`);
      expect((await reindex(app, chain, none, '1')).errors?.[0]?.extensions['code']).toBe('BAD_GATEWAY');
      const { data } = await app.graphql(tokenQuery, { chainId: chain, address: none, tokenId: '1' });
      expect(data).toEqual({ nftToken: null });
    },
  );

  test('that answers with a server error is a 502', async () => {
    expect((await app.post(reindexPath(none, '1', `${broken}`))).status).toBe(502);
  });

  test('that does not know eth_chainId is taken for sound', async () => {
    expect((await app.post(reindexPath(none, '1', `${chains['/unknown-method']}`))).status).toBe(201);
  });

  test.each([
    ['is absent', '43114', /There is no RPC for the chain 43114: .*RPC_URLS/],
    ['cannot be reached', `${gone}`, /cannot be reached.*RPC_URLS/],
    ['does not answer', `${silent}`, /did not answer.*RPC_URLS/],
  ])('that %s is a 503 that names the setting', async (_how, chain, message) => {
    const { status, headers, body } = await refused(app, reindexPath(none, '1', chain));
    expect(status).toBe(503);
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(headers['ratelimit-reset']).toBeUndefined();
    expect(body.message).toMatch(message);
    expect(body.message).not.toContain('127.0.0.1');
  });

  test('is asked once for many requests', async () => {
    const fresh = await createApp({ RPC_URLS: JSON.stringify({ 7000: `${odd.url}/unknown-method` }) });
    asked = 0;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fresh.post(reindexPath(none, `${index}`, '7000'))),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect((await fresh.post(reindexPath(none, '20', '7000'))).status).toBe(201);
    expect(asked).toBe(1);
    await fresh.close();
  });
});
