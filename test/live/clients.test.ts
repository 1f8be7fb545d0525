import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { print } from 'graphql';
import { createClient, type Client as SseClient } from 'graphql-sse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { addressOf, outputId, utxoRow } from '../harness/ledger-rows.js';
import { listenOnPort } from '../harness/listen.js';
import { metric, until } from '../harness/raw-client.js';
import { importRows } from '../harness/seed.js';

let gateway: TestApp;
let port: number;
let sse: SseClient;
beforeAll(async () => {
  gateway = await createApp();
  port = await listenOnPort(gateway.app);
  sse = createClient({ url: `http://127.0.0.1:${port}/graphql`, retryAttempts: 0 });
});
afterAll(() => gateway.close());

const QUERY = `subscription ($addresses: [String!], $after: String) {
  utxos(network: mainnet, addresses: $addresses, after: $after) { cursor change node { id utxoId } }
}`;
interface Result {
  utxos: { cursor: string; change: string; node: { utxoId: string } };
}

const begun = () => until(async () => (await metric(port, 'moraine_streams')) === 1);
const ended = () => until(async () => (await metric(port, 'moraine_streams')) === 0);
const store = (name: string) =>
  importRows(gateway.storage, 'mainnet.p-chain.utxos', [utxoRow(name, { addresses: [addressOf(name)] })]);
const variablesOf = (name: string) => ({ addresses: [addressOf(name)] });

test('the client of graphql-sse receives events, goes on after a cursor, and learns why it cannot', async () => {
  const variables = variablesOf('sse');
  const events = sse.iterate<Result>({ query: QUERY, variables });
  const first = events.next();
  await begun();
  await store('sse');
  const { value } = await first;
  const after = value?.data?.utxos.cursor;
  expect(value?.data?.utxos).toEqual({
    cursor: expect.any(String),
    change: 'created',
    node: { id: expect.any(String), utxoId: outputId('sse') },
  });
  await events.return?.();
  expect(await ended()).toBe(true);

  await importRows(gateway.storage, 'mainnet.p-chain.utxos', [
    utxoRow('sse', { ...variables, consumingTxHash: utxoRow('spender').txHash }),
  ]);
  const resumed = sse.iterate<Result>({ query: QUERY, variables: { ...variables, after } });
  expect((await resumed.next()).value?.data?.utxos.change).toBe('spent');
  await resumed.return?.();

  const lost = Buffer.from('999999.0.1').toString('base64url');
  const refused = sse.iterate<Result>({ query: QUERY, variables: { ...variables, after: lost } });
  const results = [];
  for await (const result of refused) results.push(result.errors?.[0]?.extensions?.['code']);
  expect(results).toEqual(['EVENTS_LOST']);
});

test('so does urql over it', async () => {
  await ended();
  const client = new Client({
    url: `http://127.0.0.1:${port}/graphql`,
    preferGetMethod: false,
    exchanges: [
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: sse.subscribe(
              { query, variables: variables as Record<string, unknown> },
              sink as never,
            ),
          }),
        }),
      }),
    ],
  });
  const result = new Promise<Result | undefined>((resolve) => {
    const subscription = client.subscription<Result>(QUERY, variablesOf('urql')).subscribe(({ data }) => {
      subscription.unsubscribe();
      resolve(data);
    });
  });
  await begun();
  await store('urql');
  expect((await result)?.utxos.node.utxoId).toBe(outputId('urql'));
  expect(await ended()).toBe(true);
});

test("and Apollo's client", async () => {
  await ended();
  const link = new ApolloLink(
    ({ query, variables, operationName }) =>
      new Observable((sink) =>
        sse.subscribe({ query: print(query), variables, operationName }, sink as never),
      ),
  );
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const result = new Promise<Result | null | undefined>((resolve) => {
    const subscription = client
      .subscribe<Result>({ query: gql(QUERY), variables: variablesOf('apollo') })
      .subscribe(({ data }) => {
        subscription.unsubscribe();
        resolve(data);
      });
  });
  await begun();
  await store('apollo');
  expect((await result)?.utxos.node.utxoId).toBe(outputId('apollo'));
  expect(await ended()).toBe(true);
});
