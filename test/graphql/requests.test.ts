import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { askGraphQL, doors, json, result, type Ask } from '../harness/graphql-doors.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

const ask = (request: Ask) => askGraphQL(gateway, request);

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

  test('takes numbers of any length without returning them, and compares them as beyond all that is stored', async () => {
    const digits = '9'.repeat(5_000);
    const document = (type: string, argument: string) =>
      `query ($n: ${type}) { utxos(network: fuji, blockchainId: "p-chain", ${argument}: $n) { nodes { id } } }`;
    const amount = await ask(door(document('Decimal', 'minUtxoAmount'), `{"n":${digits}}`));
    expect(amount.body).toMatchObject({ data: { utxos: { nodes: [] } } });
    const { reply, body } = await ask(door(document('Int', 'first'), `{"n":${digits}}`));
    expect(body?.errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
    expect(reply.body.length).toBeLessThan(1000);
  });

  test('whose JSON is malformed gets an error that says so, without the text that it sent', async () => {
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
  ['415: a body without a type', { body: '{}' }, 415, 'content-type: is missing; it must be one of'],
  [
    '406: an answer in another type',
    { method: 'GET' as const, accept: 'image/png', query: { query: '{ __typename }' } },
    406,
    'accept: "image/png" is not one of application/json, application/graphql-response+json, text/html',
  ],
  [
    '406: an answer in HTML to a POST',
    { type: json, accept: 'text/html', body: '{"query":"{ __typename }"}' },
    406,
    'accept: "text/html" is not one of application/json, application/graphql-response+json',
  ],
  [
    '406: an answer in another character set',
    { type: json, accept: 'application/json;charset=utf-16', body: '{"query":"{ __typename }"}' },
    406,
    'accept: "application/json;charset=utf-16" is not one of',
  ],
])('%s is refused in the form of GraphQL, with what is allowed', async (_name, request, status, message) => {
  const { reply, body } = await ask(request);
  expect(reply.statusCode).toBe(status);
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  expect(body?.errors?.[0]?.message).toContain(message);
  expect(body?.errors?.[0]?.message).toContain('application/json');
  expect(body?.errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
});

test('a mutation whose answer could not be taken does not run', async () => {
  const { body } = await ask({
    type: json,
    accept: 'image/png',
    body: JSON.stringify({
      query: 'mutation { reindexNft(chainId: "1", address: "x", tokenId: "1") { __typename } }',
    }),
  });
  expect(body?.errors?.map(({ message }) => message)).toEqual([expect.stringContaining('accept: ')]);
});

test.each(['Application/JSON', 'application/json; charset=UTF-8', 'APPLICATION/GRAPHQL+JSON'])(
  'a content-type is the same in any case and with parameters: %s',
  async (type) => {
    for (const accept of [
      'application/json; charset=utf-8',
      'Application/GraphQL-Response+JSON',
      '*/*',
      undefined,
    ]) {
      const { reply, body } = await ask({ type, accept, body: '{"query":"{ __typename }"}' });
      expect([accept, reply.statusCode, body?.data]).toEqual([accept, 200, { __typename: 'Query' }]);
    }
  },
);

describe('an address with a query', () => {
  const open = async (headers: Record<string, string>) => {
    const query = { query: '{ __typename }' };
    const { headers: sent } = await gateway.app.inject({ url: '/graphql', query, headers });
    expect(sent['vary']).toBe('accept-encoding, x-service-api-key, x-glacier-api-key, accept');
    return String(sent['content-type']).split(';')[0];
  };

  test('is a page to browsers', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    expect(await open({ accept })).toBe('text/html');
    expect(await open({ accept: 'text/html,*/*', 'sec-fetch-mode': 'navigate' })).toBe('text/html');
  });

  test('is data to programs, even to those that would take HTML', async () => {
    expect(await open({ accept: 'application/json, text/html;q=0.1' })).toBe('application/json');
    expect(await open({ accept: 'text/html, image/gif, image/jpeg, */*; q=.2' })).toBe('application/json');
    expect(await open({})).toBe('application/json');
  });
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
  [
    `minUtxoAmount: "${'x'.repeat(2000)}"`,
    `Decimal cannot be "${'x'.repeat(76)}…: it is a non-negative decimal number`,
  ],
  ['minUtxoAmount: [1]', 'Decimal cannot be [1]: it is a non-negative decimal number'],
])('a wrong literal is shown as it is written, with its place: %s', async (argument, message) => {
  const query = `{ utxos(network: fuji, blockchainId: "p-chain", ${argument}) { nodes { id } } }`;
  const { body } = await ask({ type: json, body: JSON.stringify({ query }) });
  expect(body?.errors).toEqual([
    { message, locations: [{ line: 1, column: 64 }], extensions: { code: 'BAD_USER_INPUT' } },
  ]);
});

test('fields are answered in the order in which they were selected, whichever is ready first', async () => {
  const query = '{ utxos(network: fuji, blockchainId: "p-chain") { totalCount __typename } __typename }';
  const { reply } = await ask({ type: json, body: JSON.stringify({ query }) });
  expect(reply.body).toContain(
    '{"utxos":{"totalCount":0,"__typename":"UtxoConnection"},"__typename":"Query"}',
  );
});

test.each(['Decimal', 'BigNumber', 'Long'])(
  'a list with a number beyond 2^53 is refused as a %s',
  async (scalar) => {
    const fields = {
      Decimal: 'utxos(network: fuji, blockchainId: "p-chain", minUtxoAmount: $value) { totalCount }',
      BigNumber: 'nftToken(chainId: "43113", address: "0x1", tokenId: $value) { id }',
      Long: 'icmMessages(since: $value) { totalCount }',
    };
    const query = `query($value: ${scalar}!) { ${fields[scalar as keyof typeof fields]} }`;
    const body = `{"query":${JSON.stringify(query)},"variables":{"value":[9007199254740993]}}`;
    const { reply, body: answer } = await ask({ type: json, accept: result, body });
    expect(reply.statusCode).toBe(400);
    expect(answer?.errors).toHaveLength(1);
    expect(answer?.errors?.[0]?.message).toContain('[9007199254740993]');
  },
);
