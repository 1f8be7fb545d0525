import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { whileLocked } from '../harness/connections.js';
import { doors, sendThrough, type GraphQLAnswer } from '../harness/graphql-doors.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ REQUEST_TIMEOUT_MS: '1500' });
});
afterAll(() => gateway.close());

/** The fast path, Yoga's own HTTP, and GET. */
const ways = Object.entries(doors).filter(([name]) => name !== 'a form');

/** `{ a: …, b: … }` beneath transactions(first:) → nodes → consumedUtxos(first:) → nodes. */
const nested = (outer: string | number, inner: string | number) =>
  `transactions(network: fuji, blockchainId: "p-chain", first: ${outer}) { nodes { consumedUtxos(first: ${inner}) { nodes { utxoId } } } }`;

/** A field under so many aliases. */
const aliases = (count: number, field = '__typename') =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');

/**
 * A document whose fields are nested to this depth, 4 or more; few enough lists and rows for one statement.
 */
function deep(depth: number): string {
  const cycle = ['consumingTransaction', 'emittedUtxos(first: 1)', 'edges', 'node'];
  const levels = ['utxos(network: fuji, blockchainId: "p-chain", first: 1)', 'edges', 'node'];
  while (levels.length < depth - 1) levels.push(cycle[(levels.length - 3) % cycle.length] ?? '');
  const leaves: Record<string, string> = { edges: 'cursor', node: 'utxoId', consumingTransaction: 'txHash' };
  const leaf = leaves[levels.at(-1) ?? ''] ?? 'pageInfo { __typename }';
  return `{ ${levels.join(' { ')} { ${leaf} ${'} '.repeat(levels.length + 1)}`;
}

describe.each(ways)('%s', (_name, door) => {
  const once = sendThrough(() => gateway, door);
  // Twice, because a document that was seen before may be answered in another way.
  const send = async (...operation: Parameters<typeof once>) => {
    const first = await once(...operation);
    expect(await once(...operation)).toEqual(first);
    return first;
  };
  const refused = async (answer: Promise<GraphQLAnswer>, message: string) => {
    const { data, messages, codes } = await answer;
    expect(data ?? null).toBeNull();
    expect(messages).toEqual([expect.stringContaining(message)]);
    expect(codes).toEqual(['QUERY_TOO_COMPLEX']);
  };

  test('is refused when its nested pages multiply past the limit, with the computed and the allowed cost', () =>
    // transactions 1, nodes 1, and 100 times: consumedUtxos 1, nodes 1, and 100 times utxoId 1.
    refused(send(`{ ${nested(100, 100)} }`), 'costs 10202; at most 10000 are allowed'));

  test('is answered when its pages are smaller', async () => {
    expect((await send(`{ ${nested(90, 100)} }`)).messages).toEqual([]);
  });

  test('is calculated with the values of its variables', async () => {
    const query = `query Nested($outer: Int, $inner: Int = 100) { ${nested('$outer', '$inner')} }`;
    await refused(send(query, { outer: 100 }), 'costs 10202;');
    expect((await send(query, { outer: 100, inner: 10 })).messages).toEqual([]);
    expect((await send(query, {})).messages).toEqual([]);
  });

  test('is weighed by the operation that runs', async () => {
    const query = `query Small { ${nested(1, 1)} } query Large { ${nested(100, 100)} }`;
    expect((await send(query, {}, 'Small')).messages).toEqual([]);
    await refused(send(query, {}, 'Large'), 'costs 10202;');
  });

  test('cannot hide its cost in fragments, and what @skip leaves out is free', async () => {
    const fragments = `
      fragment Page on TransactionConnection { nodes { ...Lists } }
      fragment Lists on Transaction { ... on Transaction { consumedUtxos(first: 100) { ...Ids } } }
      fragment Ids on UtxoConnection { nodes { utxoId } }`;
    const query = `query Q($no: Boolean = false) {
      transactions(network: fuji, blockchainId: "p-chain", first: 100) { ...Page @skip(if: $no) pageInfo { hasNextPage } } }`;
    await refused(send(query + fragments), 'costs 10204;');
    expect((await send(query + fragments, { no: true })).messages).toEqual([]);
  });

  test('with fragments that double at every level is refused at once', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) =>
        `fragment F${level} on Utxo { consumingTransaction { ...G${level} } creatingTransaction { ...G${level} } }
         fragment G${level} on Transaction { consumedUtxos(first: 100) { nodes { ...F${level + 1} } } }`,
    );
    const query = `{ utxos(network: fuji, blockchainId: "p-chain") { nodes { ...F0 } } } ${levels.join('\n')} fragment F12 on Utxo { id }`;
    const { messages, codes } = await send(query);
    expect(codes).toEqual(['QUERY_TOO_COMPLEX']);
    expect(messages[0]).toMatch(/nests fields 39 deep; at most 15 /);
  });

  test('with a cycle of fragments is refused as invalid', async () => {
    const { codes } = await send(
      '{ utxos(network: fuji, blockchainId: "p-chain") { ...A } } fragment A on UtxoConnection { nodes { id } ...A }',
    );
    expect(codes).toEqual(['BAD_USER_INPUT']);
  });

  test('may nest fields 15 deep and not 16', async () => {
    expect((await send(deep(15))).messages).toEqual([]);
    await refused(send(deep(16)), 'nests fields 16 deep; at most 15 are allowed');
  });

  test('may have 30 aliases and not 31', async () => {
    const query = (count: number) =>
      `{ utxos(network: fuji, blockchainId: "p-chain") { nodes { ${aliases(count, 'utxoId')} } } }`;
    expect((await send(query(30))).messages).toEqual([]);
    await refused(send(query(31)), 'has 31 aliases; at most 30 are allowed');
  });

  test('may have 2000 tokens and not 2001', async () => {
    const tokens = (count: number) =>
      `{ utxos(network: fuji, blockchainId: "p-chain" addresses: [${'"" '.repeat(count - 21)}]) { pageInfo { hasNextPage } } }`;
    expect((await send(tokens(2000))).messages).toEqual([]);
    await refused(send(tokens(2001)), 'has 2001 tokens; at most 2000 are allowed');
  });

  test('that selects one field a thousand times is refused at once', async () => {
    const { codes } = await send(`{ ${'__typename '.repeat(1990)} }`);
    expect(codes).toEqual(['QUERY_TOO_COMPLEX']);
  });

  test('with too many aliases and nested too deep gets both, and no cost, which is not calculated', async () => {
    const { messages } = await send(deep(16).replace('{', `{ ${aliases(31)} ${nested(100, 100)}`));
    expect(messages).toEqual([
      'The document has 31 aliases; at most 30 are allowed; The document nests fields 16 deep; at most 15 are allowed',
    ]);
  });

  test('that leaves out most of a long introspection is refused, because each of its selections is looked at', async () => {
    const fields = ['name', 'description', 'isDeprecated', 'deprecationReason'];
    const none = fields.map((field) => `${field} @include(if: $all) `.repeat(45)).join('');
    const query = `query ($all: Boolean = false) { __schema { types { fields { ${none} } } } }`;
    const { messages, codes } = await send(query);
    expect(codes).toEqual(['QUERY_TOO_COMPLEX']);
    expect(messages[0]).toMatch(/introspection of cost \d+; at most \d+ are allowed/);
  });

  test('may be the introspection of GraphiQL, but not many of them at once', async () => {
    expect((await send(getIntrospectionQuery())).messages).toEqual([]);
    const one =
      '{ types { fields { args { type { name description kind } } type { fields { name description } } } } }';
    const { messages, codes } = await send(`{ ${aliases(30, `__schema ${one}`)} }`);
    expect(codes).toEqual(['QUERY_TOO_COMPLEX']);
    expect(messages[0]).toMatch(/introspection of cost \d+; at most \d+ are allowed/);
  });

  test('is given up when it takes too long, and the next one is served', async () => {
    const { status, messages, codes } = await whileLocked(gateway.storage, 'transaction', () =>
      send(`{ ${nested(1, 1)} }`),
    );
    expect(status).toBe(503);
    expect(messages[0]).toContain('longer than the allowed 1500 ms');
    expect(codes[0]).toBe('SERVICE_UNAVAILABLE');
    expect((await send(`{ ${nested(1, 1)} }`)).messages).toEqual([]);
  });
});

test('a REST request is given up when it takes too long, and the next one is served', async () => {
  const path = '/v1/networks/fuji/blockchains/p-chain/utxos';
  const { status, text, headers } = await whileLocked(gateway.storage, 'utxo_owner', () => gateway.get(path));
  expect(status).toBe(503);
  expect(JSON.parse(text)).toMatchObject({ statusCode: 503, error: 'Service Unavailable' });
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect((await gateway.get(path)).status).toBe(200);
});

test('a body over the limit is refused, and the next request is served', async () => {
  const query = `{ __typename } # ${'x'.repeat(1_000_000)}`;
  const headers = { 'content-type': 'application/json' };
  const { status, body } = await gateway.post('/graphql', headers, JSON.stringify({ query }));
  expect(status).toBe(413);
  expect(body).toMatchObject({ errors: [{ message: expect.stringContaining('262144') }] });
  expect((await gateway.graphql('{ __typename }')).data).toEqual({ __typename: 'Query' });
});

test('REST replies are not bound by the limits of client documents', async () => {
  const small = await createApp({ MAX_COST: '1', MAX_DEPTH: '1', MAX_TOKENS: '1' });
  try {
    expect((await small.get('/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=100')).status).toBe(200);
  } finally {
    await small.close();
  }
});

test('serviceConfig tells the version and the limits that this gateway is run with, each described', async () => {
  const { data } = await gateway.graphql<{
    serviceConfig: Record<string, unknown>;
    __type: { fields: { name: string; description: string }[] };
  }>(`{
    __type(name: "ServiceConfig") { fields { name description } }
    serviceConfig { version maxPageSize defaultPageSize
      maxMetricsPageSize defaultMetricsPageSize maxSubQueries pageTokenLifetimeSeconds maxAddresses maxNodeIds maxCost maxDepth
      maxAliases maxTokens maxBodyBytes requestTimeoutMilliseconds maxRequestsInFlight costPerRequest
      fieldLimits { field calls seconds } } }`);
  expect(data.serviceConfig).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    maxPageSize: 100,
    defaultPageSize: 10,
    maxMetricsPageSize: 10_000,
    defaultMetricsPageSize: 1000,
    maxSubQueries: 10,
    pageTokenLifetimeSeconds: 86_400,
    maxAddresses: 64,
    maxNodeIds: 100,
    maxCost: 10_000,
    maxDepth: 15,
    maxAliases: 30,
    maxTokens: 2000,
    maxBodyBytes: 262_144,
    requestTimeoutMilliseconds: 1500,
    maxRequestsInFlight: 256,
    costPerRequest: null,
    // No caller is limited here.
    fieldLimits: [],
  });
  expect(data.__type.fields.map(({ name }) => name).sort()).toEqual(Object.keys(data.serviceConfig).sort());
  for (const { description } of data.__type.fields) expect(description).toMatch(/\.$/);
});
