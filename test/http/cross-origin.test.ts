import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp();
});

afterAll(() => gateway.close());

const doors = [
  { url: '/v1/networks/fuji/blockchains/p-chain/utxos', method: 'GET' },
  { url: '/v1/health-check', method: 'GET' },
  { url: '/v2/health-check', method: 'GET' },
  { url: '/graphql', method: 'POST' },
] as const;

describe.each(doors)('$method $url', ({ url, method }) => {
  const payload = method === 'POST' ? '{"query":"{ __typename }"}' : undefined;

  test('may be called from any site: the preflight allows its method and headers', async () => {
    const reply = await gateway.app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type,x-service-api-key,x-glacier-api-key',
      },
    });
    expect(reply.statusCode).toBe(204);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.headers['access-control-allow-methods']).toContain(method);
    expect(reply.headers['access-control-allow-headers']).toBe(
      'content-type,x-service-api-key,x-glacier-api-key',
    );
    expect(reply.headers['access-control-max-age']).toBe('86400');
  });

  test('lets other sites read the reply and its limits, and claims no HTTPS', async () => {
    const reply = await gateway.app.inject({
      method,
      url,
      headers: { origin: 'https://app.example', ...(payload && { 'content-type': 'application/json' }) },
      payload,
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    const exposed = String(reply.headers['access-control-expose-headers']).split(/,\s*/);
    expect(exposed).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'ratelimit-policy',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
        'retry-after',
      ]),
    );
    expect(reply.headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(reply.headers).not.toHaveProperty('strict-transport-security');
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });
});

test('a refusal of a URL that cannot be decoded is as guarded as any reply', async () => {
  const { status, headers } = await gateway.get('/v1/%E0%A4%A');
  expect(status).toBe(400);
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('only the sites of CORS_ORIGIN may read, when it names some', async () => {
  const few = await createApp({ CORS_ORIGIN: 'https://app.example,https://other.example' });
  try {
    const originFor = async (origin: string) =>
      (await few.get('/v1/health-check', { origin })).headers['access-control-allow-origin'];
    expect(await originFor('https://app.example')).toBe('https://app.example');
    expect(await originFor('https://evil.example')).toBeUndefined();
  } finally {
    await few.close();
  }
});

test.each(['/openapi.json', '/docs', '/graphql', '/overview'])(
  '%s is compressed for those who take it',
  async (url) => {
    const headers = { accept: url === '/openapi.json' ? 'application/json' : 'text/html' };
    const plain = await gateway.app.inject({ url, headers });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.headers['vary']).toContain('accept-encoding');
    const gzipped = await gateway.app.inject({ url, headers: { ...headers, 'accept-encoding': 'gzip' } });
    expect(gzipped.headers['vary']).toContain('accept-encoding');
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzipped.rawPayload).equals(plain.rawPayload)).toBe(true);
  },
);

test('a file that did not change is not sent again', async () => {
  const first = await gateway.app.inject({ url: '/openapi.json' });
  const again = await gateway.app.inject({
    url: '/openapi.json',
    headers: { 'if-none-match': String(first.headers['etag']) },
  });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test.each(['gzip', 'deflate'])('replies of REST and GraphQL are compressed with %s', async (encoding) => {
  const introspection = '{ __schema { types { name description fields { name description } } } }';
  const reply = await gateway.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'content-type': 'application/json', 'accept-encoding': encoding },
    payload: JSON.stringify({ query: introspection }),
  });
  expect(reply.headers['content-encoding']).toBe(encoding);
  expect(reply.headers['vary']).toContain('accept-encoding');
  const missing = await gateway.get(`/v1/${'x'.repeat(190)}`, { 'accept-encoding': encoding });
  expect(missing.headers).not.toHaveProperty('content-encoding');
  expect(missing.headers['vary']).toContain('accept-encoding');
});
