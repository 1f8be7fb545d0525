import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

/** What browsers send when they open an address. */
const navigation = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const reindexPath =
  '/v1/chains/43113/nfts/collections/0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6/tokens/1:reindex';
const utxos = '/v1/networks/fuji/blockchains/p-chain/utxos';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({
    RATE_LIMITS: 'on',
    PLANS: JSON.stringify({ anonymous: { requests: 2, seconds: 60, perDay: null } }),
  });
});
afterAll(() => gateway.close());

interface PageRequest {
  url: string;
  accept?: string | undefined;
  headers?: Record<string, string>;
  /** Callers are counted by it; one of its own when absent. */
  from?: string;
}

let callers = 0;

const ask = ({ url, accept, headers, from = `198.51.100.${(callers += 1)}` }: PageRequest) =>
  gateway.app.inject({
    url,
    remoteAddress: from,
    headers: { ...headers, ...(accept !== undefined && { accept }) },
  });

/** Those that pages and JSON have in common. */
const shared = (headers: object) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(content-(type|length|security-policy)|date)$/.test(name)),
  );

test.each([
  ['an unknown path', '/v1/nowhere', {}, 404, 'there is no such path'],
  ['a wrong parameter', `${utxos}?pageSize=x&sortBy=y`, {}, 400, 'pageSize: &#34;x&#34; is not'],
  ['an unknown key', utxos, { 'x-service-api-key': 'none' }, 401, 'API key'],
  ['a path that cannot be decoded', '/v1/%zz', {}, 400, 'is not a valid url'],
  ['a method that the path does not have', reindexPath, {}, 405, 'GET is not allowed here'],
] as const)(
  'a browser gets a page for %s, with the way back; other programs JSON, with the same status and headers',
  async (_name, url, headers, status, message) => {
    const page = await ask({ url, headers, accept: navigation });
    const json = await ask({ url, headers, accept: 'application/json' });
    expect([page.statusCode, json.statusCode]).toEqual([status, status]);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain(`<h1>${status} `);
    expect(page.body).toContain(message);
    expect(page.body).toContain('<a href="/">');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; .*'sha256-/);
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.keys(json.json<object>())).toEqual(['message', 'error', 'statusCode']);
    expect(shared(page.headers)).toEqual(shared(json.headers));
    expect(String(page.headers['vary']).split(', ')).toContain('accept');
    expect(page.headers['cache-control']).toBe('no-store');
  },
);

test('the page of a browser that is refused for a time says when to come back', async () => {
  const from = '192.0.2.9';
  const send = () => ask({ url: utxos, from, accept: navigation });
  expect([(await send()).statusCode, (await send()).statusCode]).toEqual([200, 200]);
  const page = await send();
  expect(page.statusCode).toBe(429);
  const seconds = String(page.headers['retry-after']);
  expect(Number(seconds)).toBeGreaterThan(0);
  expect(page.headers['ratelimit-reset']).toBe(seconds);
  expect(page.body).toContain(`Try again in ${seconds} s.`);
  expect((await ask({ url: '/', from, accept: navigation })).statusCode).toBe(200);
});

test('what a page quotes of a request is text in it, not HTML', async () => {
  const page = await ask({
    url: `${utxos}?pageSize=<img src=x onerror=alert(1)>`,
    accept: navigation,
  });
  expect(page.statusCode).toBe(400);
  expect(page.body).not.toContain('<img');
  expect(page.body).toContain('&#60;img');
});

test.each([
  [undefined],
  ['*/*'],
  ['application/json'],
  ['application/json, text/plain, */*'],
  ['application/json, text/html;q=0.5'],
  ['text/html, application/json'],
  ['*/*, text/html;q=0.1'],
  ['text/html;q=0, */*'],
  // The default of Java's programs.
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'],
  ['text/html, image/gif, image/jpeg, */*; q=0.2'],
])('a program that accepts %s gets JSON for an error', async (accept) => {
  const reply = await ask({ url: '/v1/nowhere', accept });
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.json()).toMatchObject({ statusCode: 404 });
});

test.each([['text/html'], ['text/html, */*;q=0.5'], ['text/html;charset=utf-8, application/xhtml+xml']])(
  'whoever accepts %s gets a page for an error',
  async (accept) => {
    const reply = await ask({ url: '/v1/nowhere', accept });
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  },
);

test('a GraphQL client gets its error in the form of GraphQL, and a browser that cannot be shown GraphiQL a page', async () => {
  const from = '192.0.2.10';
  const url = '/graphql?query={serviceConfig{maxCost}}';
  for (let count = 0; count < 2; count++) await ask({ url, from, accept: 'application/json' });
  const refused = await ask({ url, from, accept: 'application/json' });
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
  const page = await ask({ url, from, accept: navigation, headers: { 'x-service-api-key': 'none' } });
  expect([200, 401]).toContain(page.statusCode);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
});

test('every page names an icon of this site, and /favicon.ico has it too', async () => {
  for (const url of ['/', '/docs', '/graphql', '/nothing']) {
    const { body } = await ask({ url, accept: navigation });
    expect(body).toMatch(/<link rel="icon" href="\/favicon.svg"/);
  }
  for (const url of ['/favicon.svg', '/favicon.ico']) {
    const icon = await ask({ url });
    expect(icon.statusCode).toBe(200);
    expect(icon.headers['content-type']).toBe('image/svg+xml');
    expect(icon.body).toMatch(/^<svg xmlns/);
  }
});
