import { createHash } from 'node:crypto';
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
const sha256Hash = createHash('sha256').update(query).digest('hex');
const extensions = { persistedQuery: { version: 1, sha256Hash } };

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
    for (const [index, named] of [
      { extensions, variables: {}, operationName: 'Q' },
      { extensions, query: '' },
    ].entries()) {
      const reply = await ask(method, named, accept, `10.0.${accept.length}.${index}`);
      // Some clients ignore the body of any other status.
      expect(reply.statusCode).toBe(200);
      expect(reply.json()).toEqual({
        errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
      });
      expect(reply.headers['cache-control']).toBe('no-store');
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

  test('without either it is missing', async () => {
    for (const sent of [{}, { extensions: {} }, { extensions: { persistedQuery: null } }]) {
      const reply = await ask(method, sent, 'application/graphql-response+json', `10.2.0.${method.length}`);
      expect(reply.statusCode).toBe(400);
      expect(reply.json().errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
  });
});

test('asking for a document costs 1, and is refused beyond the limit', async () => {
  const statuses: number[] = [];
  for (let time = 0; time < 11; time += 1)
    statuses.push((await ask('POST', { extensions }, '*/*', '10.3.0.1')).statusCode);
  expect(statuses).toEqual([...Array<number>(9).fill(200), 429, 429]);
});
