import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

const mutation = 'mutation { reindexNft(chainId: "43114", address: "x", tokenId: "1") { nextReindexAt } }';
const query = '{ __typename }';
const reindex = '/v1/chains/43114/nfts/collections/x/tokens/1:reindex';
let open: TestApp;
let closed: TestApp;

beforeAll(async () => {
  [open, closed] = await Promise.all([
    createApp(),
    createApp({ CORS_ORIGIN: 'https://app.example', PUBLIC_URL: 'https://api.example' }),
  ]);
});

afterAll(() => Promise.all([open.close(), closed.close()]));

type Headers = Record<string, string>;
/** The four ways to send a document; a browser sends the form without asking. */
const ways: Record<string, (gateway: TestApp, document: string, headers: Headers) => Promise<number>> = {
  'a form': (gateway, document, headers) =>
    post(
      gateway,
      { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      `query=${encodeURIComponent(document)}`,
    ),
  'a plain text': (gateway, document, headers) =>
    post(gateway, { ...headers, 'content-type': 'application/graphql' }, document),
  JSON: (gateway, document, headers) =>
    post(gateway, { ...headers, 'content-type': 'application/json' }, JSON.stringify({ query: document })),
};

async function post(gateway: TestApp, headers: Headers, body: string): Promise<number> {
  const { status, text } = await gateway.post('/graphql', { accept: 'application/json', ...headers }, body);
  if (status === 403)
    expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  return status;
}

const foreign: Headers[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'https://localhost.evil.example' },
];
const own: Headers[] = [
  {},
  { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'https://api.example' },
  { origin: 'http://gateway.example', host: 'gateway.example' },
  { origin: 'https://behind.example', 'sec-fetch-site': 'same-origin' },
];

describe.each(Object.entries(ways))('%s', (_way, send) => {
  test.each(foreign)(
    'from a foreign page (%j) changes nothing when CORS_ORIGIN names other sites',
    async (headers) => {
      expect(await send(closed, mutation, headers)).toBe(403);
      expect(await send(closed, query, headers)).toBe(200);
      expect(await send(open, mutation, headers)).toBe(200);
    },
  );

  test.each(own)('from a page that may, or from no browser (%j), is run', async (headers) => {
    expect(await send(closed, mutation, headers)).toBe(200);
  });
});

test('a mutation by GET is refused from everywhere', async () => {
  for (const gateway of [open, closed])
    for (const headers of [...foreign, ...own])
      expect((await gateway.get(`/graphql?query=${encodeURIComponent(mutation)}`, headers)).status).toBe(405);
});

test('reindexing by REST is refused for foreign pages too', async () => {
  for (const headers of foreign) {
    expect(await closed.post(reindex, headers)).toMatchObject({
      status: 403,
      body: { error: 'Forbidden', statusCode: 403 },
    });
    expect((await open.post(reindex, headers)).status).toBe(400);
  }
  for (const headers of own) expect((await closed.post(reindex, headers)).status).toBe(400);
});

test('reading by POST stays open to every page', async () => {
  for (const headers of foreign)
    expect((await closed.post('/v2/lookingGlass/compositeQuery', headers, '{}')).status).toBe(400);
});
