import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { addressOf, dateOf, postComposite } from '../../harness/composite.js';
import { importRows } from '../../harness/import-rows.js';

let app: TestApp;

beforeAll(async () => {
  app = await createApp();
  const rows = [1, 2, 3].map((number) => ({ date: dateOf(0), address: addressOf(number), balance: '5' }));
  await importRows(app.storage, 'evm.7.native-balances', rows);
});
afterAll(() => app.close());

const params = { evmChainId: '7', firstDate: dateOf(0), lastDate: dateOf(1), minBalance: '5' };
const native = { id: 'n', type: 'AllTimeNativeBalance', params };
const token = { ...params, contractAddress: addressOf(9) };
const body = { operator: 'AND', queries: [native] };
const withParams = (type: string, changed: object) => ({
  operator: 'AND',
  queries: [{ id: 'n', type, params: changed }],
});
const manyQueries = (count: number) => ({
  operator: 'AND',
  queries: Array.from({ length: count }, (_, index) => ({ ...native, id: `${index}` })),
});

test.each<[string, unknown, string[]]>([
  ['no operator', { queries: [native] }, ['operator: is missing; it must be AND or OR, in capitals']],
  ['a lower-case operator', { ...body, operator: 'and' }, ['operator: "and" is not AND or OR, in capitals']],
  ['another operator', { ...body, operator: 'XOR' }, ['operator: "XOR" is not AND or OR, in capitals']],
  ['no queries', { operator: 'AND' }, ['queries: must be a list of sub-queries']],
  ['an empty list', { operator: 'AND', queries: [] }, ['queries: is empty; it holds 1 to 10 sub-queries']],
  ['eleven sub-queries', manyQueries(11), ['queries: 11 sub-queries are too many; at most 10']],
  [
    'a sub-query that is no object',
    { ...body, queries: [5] },
    ['queries[0]: is not an object with id, type and params'],
  ],
  [
    'no id',
    { ...body, queries: [{ ...native, id: undefined }] },
    ['queries[0]: id: must be a text of its own'],
  ],
  [
    'duplicate ids',
    { ...body, queries: [native, native] },
    ['sub-query "n": id: is given to several sub-queries; each needs its own'],
  ],
  [
    'an unknown type',
    withParams('AllTimeGold', params),
    [
      'sub-query "n": type: "AllTimeGold" is not known; it is one of AllTimeNativeBalance, AnyTimeNativeBalance, AllTimeErc20Balance, AnyTimeErc20Balance, AllTimeNftHolders, AnyTimeNftHolders, LatestBalance',
    ],
  ],
  [
    'no params',
    { ...body, queries: [{ id: 'n', type: native.type }] },
    ['sub-query "n": params: must be an object'],
  ],
  [
    'reversed dates',
    withParams('AnyTimeNativeBalance', { ...params, firstDate: dateOf(2) }),
    ['sub-query "n": firstDate: is after lastDate'],
  ],
  [
    'a date that does not exist',
    withParams('AnyTimeNativeBalance', { ...params, lastDate: '2026-02-30' }),
    ['sub-query "n": lastDate: "2026-02-30" is not a date, YYYY-MM-DD or an ISO 8601 date-time'],
  ],
  [
    'every parameter missing',
    withParams('AllTimeErc20Balance', {}),
    [
      'sub-query "n": evmChainId: is missing; it must be an EVM chain id, a string of decimal digits',
      'sub-query "n": contractAddress: is missing; it must be a contract address, 0x and 40 hex digits',
      'sub-query "n": firstDate: is missing; it must be a date, YYYY-MM-DD or an ISO 8601 date-time',
      'sub-query "n": lastDate: is missing; it must be a date, YYYY-MM-DD or an ISO 8601 date-time',
      'sub-query "n": minBalance: is missing; it must be a balance, a string of decimal digits',
    ],
  ],
  ...['-1', '1.5', '1e18', '', 'abc', 5, null, {}].map((minBalance): [string, unknown, string[]] => [
    `minBalance ${JSON.stringify(minBalance)}`,
    withParams('AllTimeNativeBalance', { ...params, minBalance }),
    [
      minBalance === null
        ? 'sub-query "n": minBalance: is missing; it must be a balance, a string of decimal digits'
        : `sub-query "n": minBalance: ${JSON.stringify(minBalance)} is not a balance, a string of decimal digits`,
    ],
  ]),
  [
    'a contract that is none',
    withParams('AnyTimeErc20Balance', { ...token, contractAddress: '0x12' }),
    ['sub-query "n": contractAddress: "0x12" is not a contract address, 0x and 40 hex digits'],
  ],
  [
    'LatestBalance of a token that is not named',
    withParams('LatestBalance', { evmChainId: '7', tokenType: 'ERC20', minBalance: '1' }),
    ['sub-query "n": contractAddress: is missing; tokenType ERC20 needs the address of the token'],
  ],
  [
    'another tokenType',
    withParams('LatestBalance', { evmChainId: '7', tokenType: 'erc20', minBalance: '1' }),
    ['sub-query "n": tokenType: "erc20" is not NATIVE or ERC20'],
  ],
  [
    'NFT holders without a range',
    withParams('AllTimeNftHolders', { evmChainId: '7', contractAddress: addressOf(9), firstDate: dateOf(0) }),
    ['sub-query "n": firstDate, lastDate: are missing; give firstDate and lastDate, or startTs and endTs'],
  ],
  [
    'NFT holders with both ranges',
    withParams('AnyTimeNftHolders', { ...token, startTs: 1, endTs: 2 }),
    ['sub-query "n": firstDate, startTs: give dates or timestamps, not both'],
  ],
  [
    'reversed timestamps of one day',
    withParams('AnyTimeNftHolders', { evmChainId: '7', contractAddress: addressOf(9), startTs: 2, endTs: 1 }),
    ['sub-query "n": startTs: is after endTs'],
  ],
  ...[0, 10_001, 1.5].map((pageSize): [string, unknown, string[]] => [
    `pageSize ${pageSize}`,
    { ...body, pageSize },
    [`pageSize: "${pageSize}" is not a whole number of 1 to 10000`],
  ]),
  [
    'a pageSize that is text',
    { ...body, pageSize: '5' },
    ['pageSize: "5" is not a whole number of 1 to 10000'],
  ],
  [
    'faults of several sub-queries and the operator',
    {
      operator: 'OR ',
      queries: [
        { ...native, params: { ...params, minBalance: 'x' } },
        { id: 'm', type: '?', params },
      ],
    },
    [
      'operator: "OR " is not AND or OR, in capitals',
      'sub-query "n": minBalance: "x" is not a balance, a string of decimal digits',
      'sub-query "m": type: "?" is not known; it is one of AllTimeNativeBalance, AnyTimeNativeBalance, AllTimeErc20Balance, AnyTimeErc20Balance, AllTimeNftHolders, AnyTimeNftHolders, LatestBalance',
    ],
  ],
  [
    'every fault that there can be',
    {
      operator: 'NOT',
      pageToken: 'x',
      pageSize: 0,
      queries: [
        { type: 'AllTimeGold', params: 'none' },
        native,
        {
          id: 'n',
          type: 'AnyTimeNativeBalance',
          params: { ...params, evmChainId: 'x', firstDate: dateOf(2) },
        },
        { id: 'h', type: 'AnyTimeNftHolders', params: { evmChainId: '7', startTs: 1, endTs: 0 } },
        { id: 'l', type: 'LatestBalance', params: { evmChainId: '7', tokenType: 'ERC20' } },
      ],
    },
    [
      'operator: "NOT" is not AND or OR, in capitals',
      'queries[0]: id: must be a text of its own',
      'queries[0]: type: "AllTimeGold" is not known; it is one of AllTimeNativeBalance, AnyTimeNativeBalance, AllTimeErc20Balance, AnyTimeErc20Balance, AllTimeNftHolders, AnyTimeNftHolders, LatestBalance',
      'queries[0]: params: must be an object',
      'sub-query "n": id: is given to several sub-queries; each needs its own',
      'sub-query "n": evmChainId: "x" is not an EVM chain id, a string of decimal digits',
      'sub-query "n": firstDate: is after lastDate',
      'sub-query "h": contractAddress: is missing; it must be a contract address, 0x and 40 hex digits',
      'sub-query "h": startTs: is after endTs',
      'sub-query "l": minBalance: is missing; it must be a balance, a string of decimal digits',
      'sub-query "l": contractAddress: is missing; tokenType ERC20 needs the address of the token',
      'pageToken: "x" is not a page token (a UUID from a previous page); start again from the first page',
      'pageSize: "0" is not a whole number of 1 to 10000',
    ],
  ],
])('%s is refused with all that is wrong', async (_name, sent, message) => {
  const reply = await postComposite(app, sent);
  expect(reply.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
  expect(reply.status).toBe(400);
});

test('GraphQL names every fault at once too', async () => {
  const { errors } = await app.graphql(`{ compositeQuery(operator: AND, first: 0, after: "x", queries: [
    { anyTimeNativeBalance: { id: "n", evmChainId: "x", firstDate: "${dateOf(2)}", lastDate: "${dateOf(1)}", minBalance: "1" } }
    { latestBalance: { id: "n", evmChainId: "7", tokenType: ERC20, minBalance: "1" } }
  ]) { nodes } }`);
  for (const fault of [
    'evmChainId: "x"',
    'firstDate: is after',
    'id: is given',
    'ERC20 needs',
    'first: 0',
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

test('a token of another query, a malformed one and an expired one are told apart', async () => {
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
  app.clock.now += 86_401_000;
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
