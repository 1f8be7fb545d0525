import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { addressOf, dateOf, postComposite } from '../../harness/composite.js';
import { body, native, params, refusals, withParams } from '../../harness/composite-refusals.js';
import { importRows } from '../../harness/import-rows.js';

let app: TestApp;

beforeAll(async () => {
  app = await createApp();
  const rows = [1, 2, 3].map((number) => ({ date: dateOf(0), address: addressOf(number), balance: '5' }));
  await importRows(app.storage, 'evm.7.native-balances', rows);
});
afterAll(() => app.close());

test.each(refusals)('%s is refused with all that is wrong', async (_name, sent, message) => {
  const reply = await postComposite(app, sent);
  expect(reply.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
  expect(reply.status).toBe(400);
});

test('GraphQL names every fault at once too', async () => {
  const { errors } = await app.graphql(`{ compositeQuery(operator: AND, first: -1, after: "x", queries: [
    { anyTimeNativeBalance: { id: "n", evmChainId: "x", firstDate: "${dateOf(2)}", lastDate: "${dateOf(1)}", minBalance: "1" } }
    { latestBalance: { id: "n", evmChainId: "7", tokenType: ERC20, minBalance: "1" } }
  ]) { nodes } }`);
  for (const fault of [
    'evmChainId: "x"',
    'firstDate: is after',
    'id: is used',
    'ERC20 needs',
    'first: -1',
    'after: "x"',
  ])
    expect(errors?.[0]?.message).toContain(fault);
});

test.each<[string, string, string | null, RegExp]>([
  ['malformed JSON', '{"operator": ', 'application/json', /^body: is not JSON/],
  ['a list', '[]', 'application/json', /^body: is not a JSON object$/],
  ['null', 'null', 'application/json', /^body: is not a JSON object$/],
  ['an empty body', '', 'application/json', /^body: is empty/],
  [
    'another content type',
    JSON.stringify(body),
    'text/plain',
    /^content-type: "text\/plain" is not application\/json$/,
  ],
  ['no content type', JSON.stringify(body), null, /^content-type: is missing/],
])('%s is refused as a body', async (_name, text, contentType, message) => {
  const reply = await postComposite(app, text, { contentType });
  expect(reply.status).toBe(400);
  expect(reply.body).toEqual({
    message: [expect.stringMatching(message)],
    error: 'Bad Request',
    statusCode: 400,
  });
});

test.each([
  ['operator', (deep: string) => `{"operator":${deep},"queries":[]}`],
  ['pageSize', (deep: string) => `{"pageSize":${deep},"operator":"AND"}`],
  [
    'a parameter',
    (deep: string) =>
      `{"operator":"AND","queries":[{"id":"n","type":"LatestBalance","params":{"evmChainId":${deep}}}]}`,
  ],
])('a list that is nested deeper than any request needs is refused: %s', async (_name, bodyOf) => {
  // Numbers beyond 2^53 need another parser.
  for (const inner of ['', '12345678901234567890']) {
    const reply = await postComposite(app, bodyOf('['.repeat(20_000) + inner + ']'.repeat(20_000)));
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('the JSON is nested more than 64 deep');
  }
});

test('page fields are taken from the body or the query string, and refused when both differ', async () => {
  const inBody = await postComposite(app, { ...body, pageSize: 2 });
  const { nextPageToken } = inBody.body;
  const inQuery = await postComposite(app, body, { query: `?pageSize=2&pageToken=${nextPageToken}` });
  const inBoth = await postComposite(
    app,
    { ...body, pageSize: 2, pageToken: nextPageToken },
    { query: '?pageSize=2' },
  );
  expect(inQuery.text).toBe(inBoth.text);
  expect(inQuery.body).toEqual({ addresses: [addressOf(3)], subQueryCounts: { n: 3 }, totalCount: 3 });

  const [tokenA, tokenB] = ['8736fc81-05b7-468b-9a7f-c0556f501f3f', '3fd9012c-725f-4cf8-ba6f-8b8a75e4efc9'];
  const different = await postComposite(
    app,
    { ...body, pageSize: 2, pageToken: tokenA },
    { query: `?pageSize=3&pageToken=${tokenB}` },
  );
  expect(different.status).toBe(400);
  expect(different.body).toMatchObject({
    message: [
      `pageToken: ${tokenA} in the body, ${tokenB} in the query string; give it once`,
      'pageSize: 2 in the body, 3 in the query string; give it once',
    ],
  });
  expect((await postComposite(app, body, { query: '?pageSize=0' })).status).toBe(400);
  expect((await postComposite(app, { ...body, pageToken: '' }, { query: '?pageToken=' })).status).toBe(200);
});

test('a token of another query, a malformed one and an expired one are distinguished', async () => {
  const first = await postComposite(app, { ...body, pageSize: 1 });
  const { nextPageToken: pageToken } = first.body;
  const other = { operator: 'AND', queries: [{ ...native, params: { ...params, minBalance: '4' } }] };
  const messageOf = async (sent: object) => {
    const reply = await postComposite(app, sent);
    expect(reply.status).toBe(400);
    return (reply.body.message as string[])[0];
  };
  expect(await messageOf({ ...other, pageToken })).toMatch(
    /^pageToken: .* was not issued here for these sub-queries .*; start again/,
  );
  expect(await messageOf({ ...body, pageToken: 'x' })).toMatch(
    /^pageToken: "x" is not a page token .*; start again/,
  );
  app.clock.now += 25 * 3_600_000;
  expect(await messageOf({ ...body, pageToken })).toMatch(/^pageToken: .* has expired .*; start again/);
});

test('the order of sub-queries and their ids do not matter to a walk, the page size neither', async () => {
  const second = {
    id: 'm',
    type: 'LatestBalance',
    params: { evmChainId: '7', tokenType: 'NATIVE', minBalance: '1' },
  };
  const first = await postComposite(app, { operator: 'OR', queries: [native, second], pageSize: 1 });
  const { nextPageToken: pageToken } = first.body;
  const next = await postComposite(app, {
    operator: 'OR',
    queries: [second, { ...native, id: 'k' }],
    pageToken,
  });
  expect(next.body).toEqual({
    addresses: [addressOf(2), addressOf(3)],
    subQueryCounts: { m: 3, k: 3 },
    totalCount: 3,
  });
});

test('a balance and a chain beyond what can be stored match nothing', async () => {
  const huge = '9'.repeat(200);
  for (const changed of [
    { ...params, minBalance: huge },
    { ...params, evmChainId: '9'.repeat(70) },
  ]) {
    const reply = await postComposite(app, withParams('AllTimeNativeBalance', changed));
    expect(reply.body).toEqual({ addresses: [], subQueryCounts: { n: 0 }, totalCount: 0 });
    expect(reply.status).toBe(200);
  }
});

test('other methods are refused, and a name such as __proto__ is an id like any other', async () => {
  const wrong = await app.app.inject({ method: 'GET', url: '/v2/lookingGlass/compositeQuery' });
  expect([wrong.statusCode, wrong.headers['allow']]).toEqual([405, 'POST']);
  const reply = await postComposite(app, { ...body, queries: [{ ...native, id: '__proto__' }] });
  expect(reply.text).toContain('"subQueryCounts":{"__proto__":3}');
});
