import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({
    RATE_LIMITS: 'on',
    PLANS: JSON.stringify({ anonymous: { requests: 3, seconds: 60 } }),
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

test('introspection is charged like any operation, and over the limit refused', async () => {
  const replies = [];
  for (let count = 0; count < 4; count += 1) replies.push(await ask('192.0.2.1', getIntrospectionQuery()));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
  expect(replies[3]?.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
});

test('an answer from memory is the same, and tells each caller how it stands itself', async () => {
  const query = `${getIntrospectionQuery()} # ${Math.random()}`;
  const first = await ask('192.0.2.2', query);
  const again = await ask('192.0.2.2', query);
  const other = await ask('192.0.2.3', query, 'application/graphql-response+json');
  const read = ({ body }: { body: string }) =>
    JSON.parse(body) as { data: unknown; extensions: { rateLimit: { remaining: number } } };
  expect(Object.keys(read(first).data as object)).toEqual(['__schema']);
  expect(read(again).data).toEqual(read(first).data);
  expect(read(other).data).toEqual(read(first).data);
  expect([first, again, other].map((each) => read(each).extensions.rateLimit.remaining)).toEqual([2, 1, 2]);
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
