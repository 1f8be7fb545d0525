import * as zlib from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath } from '../harness/keys.js';

/** Requests of an address in an hour; the limits' clock stands still. */
const LIMIT = 20;
const HOUR = 3600;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({
    RATE_LIMITS: 'on',
    RATE_LIMIT_TOLERANCE: '1000000',
    TRUSTED_PROXIES: '127.0.0.1',
    PLANS: JSON.stringify({ anonymous: { requests: LIMIT, seconds: HOUR, perDay: null } }),
  });
});
afterAll(() => gateway.close());

let callers = 0;
const by = (caller: string) => ({ 'x-forwarded-for': caller });

async function statuses(caller: string, count: number, path: string): Promise<number[]> {
  const replies = await Promise.all(Array.from({ length: count }, () => gateway.get(path, by(caller))));
  return replies.map(({ status }) => status);
}

test.each([
  ['/health', 200],
  ['/ready', 200],
  ['/v1/live-check', 200],
  ['/v2/health-check', 200],
  ['/metrics', 200],
  ['/', 200],
  ['/docs', 200],
  ['/openapi.json', 200],
  ['/no/such/path', 404],
  ['/v1/networks/%zz', 400],
])('%s is free for whoever asks now and then, and paid like any request in a flood', async (path, right) => {
  const caller = `203.0.113.${(callers += 1)}`;
  const few = await statuses(caller, 20, path);
  expect(new Set(few)).toEqual(new Set([right]));
  // None of them was charged.
  expect(new Set(await statuses(caller, LIMIT, listPath))).toEqual(new Set([200]));
  expect((await gateway.get(listPath, by(caller))).status).toBe(429);
  // What is free at once is not used up yet.
  expect((await gateway.get(path, by(caller))).status).toBe(right);
  const flood = await statuses(caller, 400, path);
  expect(new Set(flood)).toEqual(new Set([right, 429]));
  // So are others.
  expect((await gateway.get(path, by('198.51.100.7'))).status).toBe(right);
});

test('who reads many pages is not refused a health check, and a wrong method is a page as any', async () => {
  const caller = '203.0.113.200';
  expect(new Set(await statuses(caller, 400, '/docs'))).toEqual(new Set([200, 429]));
  const wrong = await Promise.all(Array.from({ length: 100 }, () => gateway.post('/v1/chains', by(caller))));
  expect(wrong.map(({ status }) => status)).toContain(429);
  expect(new Set(await statuses(caller, 20, '/health'))).toEqual(new Set([200]));
});

test('all who ask for metrics at once are given one reading, and the next is of what has been since', async () => {
  const replies = await Promise.all(Array.from({ length: 30 }, () => gateway.get('/metrics')));
  expect(new Set(replies.map(({ text }) => text)).size).toBeLessThanOrEqual(2);
  const answered = ({ text }: { text: string }) =>
    Number(
      /http_requests_total\{method="GET",route="\/v1\/chains",status="200"\} (\d+)/.exec(text)?.[1] ?? 0,
    );
  const before = answered(replies[0]!);
  await gateway.get('/v1/chains', by('198.51.100.8'));
  expect(answered(await gateway.get('/metrics'))).toBe(before + 1);
});

const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer };
const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  ...(zstdDecompressSync && { zstd: zstdDecompressSync }),
};

test.each(Object.keys(decoders))('pages for everybody come in %s to those who take it', async (encoding) => {
  for (const url of ['/graphql', '/docs', '/docs/swagger-ui.js', '/openapi.json', '/', '/metrics']) {
    const headers = { accept: 'text/html,*/*', ...by('198.51.100.9'), 'accept-encoding': encoding };
    const { headers: sent, rawPayload } = await gateway.app.inject({ url, headers });
    expect([url, sent['content-encoding'], sent['vary']]).toEqual([
      url,
      encoding,
      expect.stringContaining('accept-encoding'),
    ]);
    if (url === '/metrics') continue;
    const plain = await gateway.app.inject({ url, headers: { ...headers, 'accept-encoding': 'identity' } });
    expect(plain.headers['content-encoding'], url).toBeUndefined();
    expect(decoders[encoding]!(rawPayload).equals(plain.rawPayload), url).toBe(true);
  }
});

test('a page that is cached in whatever encoding is not sent again', async () => {
  const ask = (headers: Record<string, string>) =>
    gateway.app.inject({ url: '/docs', headers: { ...by('198.51.100.10'), ...headers } });
  const etag = String((await ask({ 'accept-encoding': 'br' })).headers['etag']);
  for (const held of [etag, etag.slice(2), `"another", ${etag}`, '*']) {
    const { statusCode, body, headers } = await ask({ 'if-none-match': held, 'accept-encoding': 'gzip' });
    expect([held, statusCode, body, headers['etag']]).toEqual([held, 304, '', etag]);
  }
  expect((await ask({ 'if-none-match': '"another"' })).statusCode).toBe(200);
});

test('GraphiQL is a small page, whose large script is sent compressed alone, and counts as several pages', async () => {
  const caller = by('198.51.100.11');
  const page = await gateway.get('/graphql', { ...caller, accept: 'text/html' });
  expect(page.text.length).toBeLessThan(200_000);
  const files = [...page.text.matchAll(/(?:src|href)="(\/graphiql\/[^"]+)"/g)].map(([, path]) => path!);
  expect(files).toHaveLength(2);
  const sizes: number[] = [];
  for (const url of files) {
    const ask = (encoding?: string) =>
      gateway.app.inject({ url, headers: { ...caller, ...(encoding && { 'accept-encoding': encoding }) } });
    const compressed = await ask('gzip');
    expect([compressed.statusCode, compressed.headers['content-encoding']]).toEqual([200, 'gzip']);
    const { length } = zlib.gunzipSync(compressed.rawPayload);
    sizes.push(length);
    for (const encoding of [undefined, 'identity', 'gzip;q=0, identity']) {
      const plain = await ask(encoding);
      expect(plain.rawPayload.length).toBeLessThan(2 * 2 ** 20);
      expect(plain.statusCode).toBe(length > 2 * 2 ** 20 ? 406 : 200);
      if (plain.statusCode === 406) expect(plain.body).toContain('accept-encoding');
    }
  }
  expect(Math.max(...sizes)).toBeGreaterThan(7_000_000);
  const [script = ''] = files.filter((path) => path.endsWith('.js'));
  const statusesOf = async (count: number) => {
    const headers = { ...by('198.51.100.12'), 'accept-encoding': 'gzip' };
    const replies = Array.from({ length: count }, () => gateway.app.inject({ url: script, headers }));
    return (await Promise.all(replies)).map(({ statusCode }) => statusCode);
  };
  expect(new Set(await statusesOf(5))).toEqual(new Set([200]));
  const flood = await statusesOf(100);
  expect(flood.filter((status) => status === 200).length).toBeLessThan(20);
  expect(flood).toContain(429);
});

test('no file for everybody is sent uncompressed if it is larger than 2 MiB', async () => {
  const paths = [
    '/',
    '/overview',
    '/docs',
    '/docs/swagger-ui.js',
    '/docs/swagger-ui.css',
    '/openapi.json',
    '/explorer.js',
  ];
  for (const url of [...paths, '/graphql', '/graphiql/graphiql.js', '/graphiql/graphiql.css']) {
    const headers = { ...by('198.51.100.13'), accept: 'text/html' };
    const { statusCode, rawPayload } = await gateway.app.inject({ url, headers });
    expect([url, statusCode]).toEqual([url, url.endsWith('graphiql.js') ? 406 : 200]);
    expect(rawPayload.length, url).toBeLessThanOrEqual(2 * 2 ** 20);
  }
});
