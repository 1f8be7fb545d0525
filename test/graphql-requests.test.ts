import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from './harness/app.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

const json = 'application/json';
const result = 'application/graphql-response+json';
const form = 'application/x-www-form-urlencoded';

interface Body {
  data?: Record<string, unknown>;
  errors?: { message: string; extensions: Record<string, unknown> }[];
}

interface Ask {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  query?: Record<string, string>;
  type?: string;
  accept?: string;
  body?: string;
}

async function ask({ method = 'POST', query, type, accept, body }: Ask) {
  const reply = await gateway.app.inject({
    method,
    url: '/graphql',
    query,
    headers: { ...(type && { 'content-type': type }), ...(accept && { accept }) },
    payload: body,
  });
  return { reply, body: reply.body === '' ? null : (JSON.parse(reply.body) as Body) };
}

/** Every way in which a document and the text of its variables can be sent. */
const doors: Record<string, (query: string, variables: string) => Ask> = {
  'a plain JSON request': (query, variables) => ({
    type: json,
    body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
  }),
  'a request for graphql-response+json': (query, variables) => ({
    type: json,
    accept: result,
    body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
  }),
  'a GET request': (query, variables) => ({ method: 'GET', accept: json, query: { query, variables } }),
  'a form': (query, variables) => ({
    type: form,
    accept: json,
    body: new URLSearchParams({ query, variables }).toString(),
  }),
};

describe.each(Object.entries(doors))('%s', (_name, door) => {
  test('keeps whole numbers of its variables exact', async () => {
    const document =
      'query ($n: Decimal) { utxos(network: fuji, blockchainId: "q", minUtxoAmount: $n) { nodes { id } } }';
    const wrong = await ask(door(document, '{"n":-18446744073709551615}'));
    expect(wrong.body?.errors?.[0]?.message).toContain('-18446744073709551615');
    const right = await ask(door(document, '{"n":18446744073709551615}'));
    expect(right.body?.errors?.[0]?.message).toContain('blockchainId: "q" is not a chain of fuji');
  });

  test('that gives a number beyond 64 bits for an Int is the sender’s fault', async () => {
    const document =
      'query ($n: Int) { transactions(network: fuji, blockchainId: "p-chain", first: $n) { nodes { id } } }';
    const { body } = await ask(door(document, '{"n":18446744073709551615}'));
    expect(body?.errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  });

  test('whose JSON is malformed is told so, without the text that it sent', async () => {
    const { reply, body } = await ask(door('{ __typename }', '{"secret'));
    expect(body?.errors).toHaveLength(1);
    expect(body?.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT' });
    expect(body?.errors?.[0]?.message).toMatch(/^(The request body|variables): .*is not JSON/);
    expect(reply.statusCode).toBe(400);
  });
});

test('what JSON is not is named: extensions of a GET request', async () => {
  const query = { query: '{ __typename }', extensions: '{x' };
  const { reply, body } = await ask({ method: 'GET', accept: json, query });
  expect([reply.statusCode, body?.errors?.[0]?.message]).toEqual([400, 'extensions: "{x" is not JSON']);
});

test.each([
  [
    '415: a body of another type',
    { type: 'text/csv', body: 'a,b' },
    415,
    'content-type: "text/csv" is not one of',
  ],
  ['415: a body without a type', { body: '{}' }, 415, 'content-type: is missing; it is one of'],
  [
    '406: an answer in another type',
    { method: 'GET' as const, accept: 'image/png', query: { query: '{ __typename }' } },
    406,
    'accept: "image/png" is not one of',
  ],
])('%s is refused in the form of GraphQL, with what is allowed', async (_name, request, status, message) => {
  const { reply, body } = await ask(request);
  expect(reply.statusCode).toBe(status);
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  expect(body?.errors?.[0]?.message).toContain(message);
  expect(body?.errors?.[0]?.message).toContain('application/json');
  expect(body?.errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
});

test.each(['PUT', 'PATCH', 'DELETE'] as const)(
  '%s is a 405 that names what is allowed, in the form of GraphQL',
  async (method) => {
    const { reply, body } = await ask({ method, type: 'text/plain', body: 'x' });
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'GET, POST, HEAD']);
    expect(body?.errors?.[0]?.extensions['code']).toBe('METHOD_NOT_ALLOWED');
  },
);

test('HEAD answers like GET, without a body', async () => {
  const { reply } = await ask({ method: 'HEAD', accept: json, query: { query: '{ __typename }' } });
  expect([reply.statusCode, reply.body]).toEqual([200, '']);
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
});

test.each([
  ['minUtxoAmount: true', 'Decimal cannot be true: it is a non-negative decimal number'],
  ['minUtxoAmount: -1', 'Decimal cannot be -1: it is a non-negative decimal number'],
  ['minUtxoAmount: [1]', 'Decimal cannot be [1]: it is a non-negative decimal number'],
])('a wrong literal is shown as it is written, with its place: %s', async (argument, message) => {
  const query = `{ utxos(network: fuji, blockchainId: "p-chain", ${argument}) { nodes { id } } }`;
  const { body } = await ask({ type: json, body: JSON.stringify({ query }) });
  expect(body?.errors).toEqual([
    { message, locations: [{ line: 1, column: 64 }], extensions: { code: 'BAD_USER_INPUT' } },
  ]);
});
