import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({
    RATE_LIMITS: 'on',
    PLANS: JSON.stringify({ anonymous: { requests: 40, seconds: 60 } }),
  });
});

afterAll(() => gateway.close());

function ask(remoteAddress: string, query: string, accept = 'application/json') {
  return gateway.app.inject({
    method: 'POST',
    url: '/graphql',
    remoteAddress,
    headers: { 'content-type': 'application/json', accept },
    payload: JSON.stringify({ query }),
  });
}

const usual = getIntrospectionQuery();
/** What the first answer of the usual query costs: about as many thousands of fields. */
const NEW = expect.toSatisfy((charged: number) => charged >= 10 && charged <= 25) as number;

async function charged(remoteAddress: string, query: string): Promise<number> {
  const { extensions } = (await ask(remoteAddress, query)).json<{
    extensions: { cost: { charged: number } };
  }>();
  return extensions.cost.charged;
}

test('introspection is charged like any operation, and over the limit refused', async () => {
  const replies = [];
  await ask('192.0.2.9', usual);
  for (let count = 0; count < 41; count += 1) replies.push(await ask('192.0.2.1', usual));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([...Array(40).fill(200), 429]);
  expect(replies.at(-1)?.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
});

describe('an answer that nobody asked for before costs what it takes:', () => {
  test.each([
    ['another name of the operation', (text: string) => text.replace('IntrospectionQuery', 'Other')],
    ['an alias', (text: string) => text.replace('__schema', 'other: __schema')],
    ['an alias deep inside', (text: string) => text.replace('queryType { name', 'queryType { n: name')],
    [
      'a variable',
      (text: string) =>
        text
          .replace('IntrospectionQuery', 'Q($a: Boolean = true)')
          .replace('__schema', '__schema @include(if: $a)'),
    ],
    [
      'one field of the data together with it',
      (text: string) => text.replace('__schema', 'chains(first: 1) { nodes { chainId } } __schema'),
    ],
    [
      'a field that is left out',
      (text: string) => text.replace('__schema', 'rateLimit @skip(if: true) { plan } __schema'),
    ],
  ])('%s', async (_kind, change) => {
    await ask('192.0.2.9', usual);
    expect(await charged(`198.51.100.${(address += 1)}`, change(usual))).toEqual(NEW);
  });
  let address = 0;

  test('one that is never kept costs it each time', async () => {
    const query = usual
      .replace('IntrospectionQuery', 'Q($never: Boolean = true)')
      .replace('__schema', '__schema @include(if: $never)');
    for (const from of ['192.0.2.11', '192.0.2.12']) expect(await charged(from, query)).toEqual(NEW);
  });

  test('a small one costs 1', async () => {
    expect(await charged('192.0.2.13', '{ __type(name: "Utxo") { name fields { name } } }')).toBe(1);
  });
});

test('the same with other comments, spaces and commas is the same answer, for 1', async () => {
  await ask('192.0.2.9', usual);
  const texts = [`${usual} # 1`, usual.replaceAll('\n', ' , '), `#2\n\uFEFF${usual.replace(/ +/g, ' ')}`];
  const first = (await ask('192.0.2.9', usual)).json<{ data: unknown }>().data;
  for (const [index, text] of texts.entries()) {
    expect(await charged(`203.0.113.${index}`, text)).toBe(1);
    expect((await ask('192.0.2.9', text)).json<{ data: unknown }>().data).toEqual(first);
  }
});

test('the same type again and again is counted each time, and bounded', async () => {
  const type =
    '__type(name: "Query") { fields { name description args { name description defaultValue type { name kind ofType { name kind } } } } }';
  const many = (count: number) =>
    `{ ${Array.from({ length: count }, (_none, index) => `a${index}: ${type}`).join(' ')} }`;
  expect(await charged('192.0.2.14', many(10))).toBeGreaterThan(5);
  const refused = (await ask('192.0.2.15', many(30))).json<{ errors: { message: string }[] }>();
  expect(refused.errors[0]?.message).toMatch(/introspection of cost \d+; at most \d+ are allowed/);
});

test('an answer from memory is the same, and tells each caller how it stands itself', async () => {
  const query = usual.replace('IntrospectionQuery', `Random${String(Math.random()).slice(2)}`);
  const first = await ask('192.0.2.2', query);
  const again = await ask('192.0.2.2', query);
  const other = await ask('192.0.2.3', query, 'application/graphql-response+json');
  const read = ({ body }: { body: string }) =>
    JSON.parse(body) as { data: unknown; extensions: { rateLimit: { remaining: number } } };
  expect(Object.keys(read(first).data as object)).toEqual(['__schema']);
  expect(read(again).data).toEqual(read(first).data);
  expect(read(other).data).toEqual(read(first).data);
  const [one, two, three] = [first, again, other].map((each) => read(each).extensions.rateLimit.remaining);
  expect(40 - (one ?? 0)).toEqual(NEW);
  expect([two, three]).toEqual([(one ?? 0) - 1, 39]);
  expect(again.body.slice(0, 200)).toBe(first.body.slice(0, 200));
});

test('what variables, fragments or names of operations decide is not mixed up', async () => {
  const named = 'query A { __type(name: "Utxo") { name } } query B { __type(name: "Vertex") { name } }';
  const sent = async (body: object) =>
    (
      await gateway.app.inject({
        method: 'POST',
        url: '/graphql',
        remoteAddress: `198.51.100.${(address += 1)}`,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      })
    ).json<{ data: unknown }>().data;
  let address = 0;
  for (let round = 0; round < 2; round += 1) {
    expect(await sent({ query: named, operationName: 'A' })).toEqual({ __type: { name: 'Utxo' } });
    expect(await sent({ query: named, operationName: 'B' })).toEqual({ __type: { name: 'Vertex' } });
    for (const name of ['Utxo', 'Vertex']) {
      const query = 'query ($name: String!) { __type(name: $name) { name } }';
      expect(await sent({ query, variables: { name } })).toEqual({ __type: { name } });
    }
  }
});
