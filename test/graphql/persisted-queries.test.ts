import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({
    RATE_LIMITS: 'on',
    PLANS: JSON.stringify({ anonymous: { requests: 9, seconds: 3600, perDay: null } }),
  });
});
afterAll(() => gateway.close());

const query = '{ serviceConfig { maxPageSize } }';
const named = (text: string) => ({
  persistedQuery: { version: 1, sha256Hash: hash('sha256', text, 'hex') },
});
const extensions = named(query);
/** Of a document that nobody sent. */
const unknown = named('unknown');

function ask(
  method: 'GET' | 'POST',
  parameters: Record<string, unknown>,
  accept: string,
  remoteAddress = '::1',
) {
  const search = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  return gateway.app.inject({
    method,
    remoteAddress,
    url: method === 'GET' ? `/graphql?${search}` : '/graphql',
    headers: { accept, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { payload: JSON.stringify(parameters) }),
  });
}

// As Apollo Client 3 and 4, urql, and clients without an Accept header send it.
const accepted = [
  'application/graphql-response+json,application/json;q=0.9',
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
  '*/*',
];

describe.each(['GET', 'POST'] as const)('by %s', (method) => {
  test.each(accepted)('a document that is named by its hash alone is asked for: %s', async (accept) => {
    for (const [index, asked] of [
      { extensions: unknown, variables: {}, operationName: 'Q' },
      { extensions: unknown, query: '' },
      { documentId: 'sha256:unknown' },
      { doc_id: 'unknown' },
    ].entries()) {
      const reply = await ask(method, asked, accept, `10.0.${accept.length}.${index}`);
      // Some clients ignore the body of any other status.
      expect(reply.statusCode).toBe(200);
      expect(reply.json()).toEqual({
        errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
      });
      expect(reply.headers['cache-control']).toBe('no-store');
    }
  });

  test('and found by its hash from then on, however that is said', async () => {
    // A document that has to be parsed costs 1 for each started 4,096 characters.
    const own = `{ serviceConfig { maxPageSize } } # ${method} ${'x'.repeat(5000)}`;
    const { sha256Hash } = named(own).persistedQuery;
    const sent = await ask(method, { query: own, extensions: named(own) }, '*/*', '10.4.0.1');
    expect([sent.statusCode, sent.json().extensions.cost.charged]).toEqual([200, 2]);
    for (const parameters of [
      { extensions: named(own) },
      { extensions: named(own), variables: {} },
      { documentId: `sha256:${sha256Hash}` },
      { doc_id: sha256Hash },
    ])
      for (const accept of accepted) {
        const reply = await ask(method, parameters, accept, `10.4.1.${accept.length}`);
        expect([reply.statusCode, reply.json().data]).toEqual([200, { serviceConfig: { maxPageSize: 100 } }]);
        expect(reply.json().extensions.cost.charged).toBe(1);
      }
  });

  test('and answered with it, hash or not', async () => {
    for (const sent of [
      { query, extensions },
      { query, extensions, variables: {} },
      { query },
      { query, extensions },
    ]) {
      const reply = await ask(method, sent, '*/*', '10.1.0.1');
      expect([reply.statusCode, reply.json().data]).toEqual([200, { serviceConfig: { maxPageSize: 100 } }]);
    }
  });

  test.each([
    ['a hash of another text', { query, extensions: unknown }, /sha256Hash: .* is not the SHA-256 of query/],
    [
      'another version',
      { extensions: { persistedQuery: { version: 2, sha256Hash: 'x' } } },
      /version: 2 is not 1/,
    ],
    [
      'a hash that is no text',
      { extensions: { persistedQuery: { version: 1, sha256Hash: 5 } } },
      /is not a text/,
    ],
  ])('%s is 400', async (what, asked, message) => {
    for (const accept of accepted) {
      const reply = await ask(method, asked, accept, `10.5.${what.length}.${accept.length}`);
      expect(reply.statusCode).toBe(400);
      expect(reply.json().errors[0]).toMatchObject({
        message: expect.stringMatching(message),
        extensions: { code: 'BAD_USER_INPUT' },
      });
    }
  });

  test('wrong variables of a document that is named are refused by name', async () => {
    const { variables, ...asked } = { variables: [1], query, extensions };
    await ask(method, asked, '*/*', '10.6.0.1');
    const reply = await ask(method, { extensions, variables }, accepted[0] as string, '10.6.0.1');
    expect([reply.statusCode, reply.json().errors[0].message]).toEqual([
      400,
      expect.stringMatching(/variables/),
    ]);
  });

  test('without either it is missing', async () => {
    for (const sent of [{}, { extensions: {} }, { extensions: { persistedQuery: null } }]) {
      const reply = await ask(method, sent, 'application/graphql-response+json', `10.2.0.${method.length}`);
      expect(reply.statusCode).toBe(400);
      expect(reply.json().errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
  });
});

test('a document that is found by its hash is not parsed again', async () => {
  const own = '{ serviceConfig { maxPageSize } } # parsed once';
  const parsed = async () => {
    const { text } = await gateway.get('/metrics');
    return Number(/moraine_cache_misses_total\{cache="documents"\} (\d+)/.exec(text)?.[1]);
  };
  const before = await parsed();
  await ask('POST', { query: own, extensions: named(own) }, '*/*', '10.9.0.1');
  expect(await parsed()).toBe(before + 1);
  for (const variables of [undefined, {}])
    expect((await ask('POST', { extensions: named(own), variables }, '*/*', '10.9.0.1')).statusCode).toBe(
      200,
    );
  expect(await parsed()).toBe(before + 1);
});

test('asking for a document costs 1, and is refused beyond the limit', async () => {
  const statuses: number[] = [];
  for (let time = 0; time < 11; time += 1)
    statuses.push((await ask('POST', { extensions: unknown }, '*/*', '10.3.0.1')).statusCode);
  expect(statuses).toEqual([...Array<number>(9).fill(200), 429, 429]);
});

test('a mutation that is named by its hash is refused by GET', async () => {
  const mutation = 'mutation { reindexNft(chainId: "43113", address: "0x00", tokenId: "1") { __typename } }';
  const from = '10.7.0.1';
  await ask('POST', { query: mutation, extensions: named(mutation) }, '*/*', from);
  const reply = await ask('GET', { extensions: named(mutation) }, '*/*', from);
  expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'POST']);
});

test('a request that is not admitted teaches nothing', async () => {
  const own = '{ serviceConfig { maxPageSize } } # unpaid';
  for (let time = 0; time < 10; time += 1) await ask('POST', { query }, '*/*', '10.8.0.1');
  const refused = await ask('POST', { query: own, extensions: named(own) }, '*/*', '10.8.0.1');
  expect(refused.statusCode).toBe(429);
  const reply = await ask('POST', { extensions: named(own) }, '*/*', '10.8.0.2');
  expect(reply.json().errors[0].message).toBe('PersistedQueryNotFound');
});

test('what is learnt is bounded in bytes, and the least used goes first', async () => {
  const small = await createApp({ DOCUMENT_CACHE_MB: '1' });
  const texts = Array.from({ length: 12 }, (_none, index) => `${query} # ${index} ${'x'.repeat(8000)}`);
  const send = (payload: object) =>
    small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });
  for (const text of texts) await send({ query: text, extensions: named(text) });
  const isKnown = async (text: string) => 'data' in (await send({ extensions: named(text) })).json();
  expect(
    await Promise.all([texts[0], texts[1], texts[10], texts[11]].map((text) => isKnown(text as string))),
  ).toEqual([false, false, true, true]);
  const { text } = await small.get('/metrics');
  const [, bytes] = /moraine_cache_bytes\{cache="learnt_documents"\} (\d+)/.exec(text) ?? [];
  expect(Number(bytes)).toBeLessThanOrEqual(2 ** 17);
  await small.close();
});
