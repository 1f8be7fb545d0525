import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { bodyWithoutQuery, brackets } from '../harness/attack-documents.js';
import { makeKey } from '../harness/keys.js';
import { listenOnPort } from '../harness/listen.js';

let gateway: TestApp;
let port: number;
beforeAll(async () => {
  const plans = { few: { requests: 50, seconds: 3600, perDay: null } };
  gateway = await createApp({ RATE_LIMITS: 'on', PLANS: JSON.stringify(plans) });
  port = await listenOnPort(gateway.app);
});
afterAll(() => gateway.close());

const json = 'application/json';
const composite = '/v2/lookingGlass/compositeQuery';

/** Sends a request with a key of its own, and tells what it was charged. */
async function charged(request: { method?: 'GET' | 'POST'; url?: string; type?: string; payload?: string }) {
  const { method = 'POST', url = '/graphql', type, payload } = request;
  const key = { 'x-service-api-key': (await makeKey(gateway, 'few')).key };
  const headers = { ...key, ...(type && { 'content-type': type }) };
  const reply = await gateway.app.inject({ method, url, headers, payload });
  const left = Number(reply.headers['ratelimit-remaining']);
  return { status: reply.statusCode, text: reply.body, cost: 50 - left };
}

describe('every request to GraphQL costs at least 1:', () => {
  test.each([
    ['no body', {}],
    ['an empty body', { type: json, payload: '' }],
    ['a body without a query', { type: json, payload: '{}' }],
    ['a body without a query of 230 kB', { type: json, payload: bodyWithoutQuery() }],
    ['a query that is null', { type: json, payload: '{"query":null}' }],
    ['a query that is empty', { type: json, payload: '{"query":""}' }],
    ['a list of operations', { type: json, payload: '[{"query":"{__typename}"},{"query":"{__typename}"}]' }],
    ['null', { type: json, payload: 'null' }],
    ['an unknown member', { type: json, payload: '{"query":"{__typename}","more":1}' }],
    ['a type that is not read', { type: 'text/plain', payload: '{"query":"{__typename}"}' }],
    ['a form without a query', { type: 'application/x-www-form-urlencoded', payload: 'a=b' }],
    ['a document that is empty', { type: 'application/graphql', payload: '' }],
    ['GET without a query', { method: 'GET' as const }],
    [
      'fields that are all left out',
      { type: json, payload: '{"query":"{ rateLimit @skip(if: true) { plan } }"}' },
    ],
  ])('%s', async (_kind, request) => {
    expect((await charged(request)).cost).toBe(1);
  });
});

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const withVariable = (value: string) => `{"query":"{ __typename }","variables":{"a":${value}}}`;
const members = (count: number) => `[${Array.from({ length: count }, () => '1').join(',')}]`;

describe.each([
  ['/graphql', withVariable],
  [composite, (value: string) => `{"operator":"AND","queries":[],"a":${value}}`],
])('a body of JSON to %s', (url, body) => {
  test.each([
    ['is nested too deep', nested(70), 'is nested more than 64 deep'],
    ['has too many members', members(10_001), 'has more than 10000 members'],
    [
      'has too many members that are empty lists',
      `[${Array.from({ length: 5100 }, () => '[]').join(',')}]`,
      'has more than 10000 members',
    ],
  ])('that %s is refused with 400, which names the bound, and costs 1', async (_kind, value, message) => {
    const { status, text, cost } = await charged({ url, type: json, payload: body(value) });
    expect(text).toContain(message);
    expect([status, cost]).toEqual([400, 1]);
  });

  test.each([
    ['60 deep', nested(60)],
    ['of 9,000 members', members(9000)],
    ['of brackets and commas in texts', JSON.stringify(`\\" ${'[,'.repeat(20_000)}`)],
  ])('%s is read', async (_kind, value) => {
    const { text } = await charged({ url, type: json, payload: body(value) });
    expect(text).not.toMatch(/nested|members/);
  });

  test('is refused before the rest of it came', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST ${url} HTTP/1.1\r\nhost: x\r\ncontent-type: ${json}\r\ncontent-length: 200000\r\n\r\n${body(brackets().slice(0, 1000))}`,
    );
    const [reply] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(String(reply)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test('variables in a form or an address are bounded alike', async () => {
  const search = new URLSearchParams({
    query: '{ __typename }',
    variables: `{"a":${nested(70)}}`,
  }).toString();
  const form = await charged({ type: 'application/x-www-form-urlencoded', payload: search });
  const address = await charged({ method: 'GET', url: `/graphql?${search}` });
  for (const { status, text, cost } of [form, address]) {
    expect(text).toContain('is nested more than 64 deep');
    expect([status, cost]).toEqual([400, 1]);
  }
});

test('a body of an unknown path is not parsed', async () => {
  const { status } = await charged({ url: '/v1/nope', type: json, payload: '{"a": nothing' });
  expect(status).toBe(404);
});
