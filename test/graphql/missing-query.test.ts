import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

interface Sent {
  method?: 'POST' | 'HEAD';
  url?: string;
  type?: string;
  payload?: string;
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const refusal = {
  errors: [
    { message: 'query: is missing; it must be a GraphQL document', extensions: { code: 'BAD_USER_INPUT' } },
  ],
};

describe.each([undefined, '*/*', json, 'application/graphql-response+json'])(
  'a request without a document is 400 for %s:',
  (accept) => {
    test.each<[string, Sent]>([
      ['an empty parameter', { url: '/graphql?query=' }],
      ['an empty parameter and a name', { url: '/graphql?query=&operationName=A' }],
      ['an empty body', { method: 'POST', type: json, payload: '{}' }],
      ['null', { method: 'POST', type: json, payload: '{"query":null}' }],
      ['an empty text', { method: 'POST', type: json, payload: '{"query":""}' }],
      ['a name alone', { method: 'POST', type: json, payload: '{"operationName":"A"}' }],
      ['a document in the address', { method: 'POST', url: '/graphql?query={a}', type: json, payload: '{}' }],
      ['a form', { method: 'POST', type: form, payload: 'operationName=A' }],
      ['a body that would be one', { method: 'POST', type: 'application/graphql', payload: '' }],
      ['nothing', {}],
      ['HEAD', { method: 'HEAD' }],
      ['a name in the address', { url: '/graphql?operationName=A' }],
      ['extensions in the address', { url: '/graphql?extensions={}' }],
      ['variables in the address', { url: '/graphql?variables={}' }],
    ])('%s', async (_what, { method = 'GET' as const, url = '/graphql', type, payload }) => {
      const headers = { ...(accept && { accept }), ...(type && { 'content-type': type }) };
      const reply = await gateway.app.inject({ method, url, payload, headers });
      expect(reply.statusCode).toBe(400);
      expect(reply.headers['content-type']).toContain('json');
      if (method !== 'HEAD') expect(reply.json()).toEqual(refusal);
    });
  },
);

test.each(['', '?query=', '?operationName=A'])('a browser gets GraphiQL at /graphql%s', async (search) => {
  for (const accept of ['text/html', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
    const reply = await gateway.app.inject({ url: `/graphql${search}`, headers: { accept } });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  }
});
