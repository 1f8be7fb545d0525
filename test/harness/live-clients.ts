import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { print } from 'graphql';
import { createClient, type RequestParams } from 'graphql-sse';

/** What a client hears of its subscription. */
export interface Heard {
  /** It is subscribed. */
  begun: () => void;
  data: (data: any) => void;
  /** The code of an error of GraphQL. */
  failed: (code: unknown) => void;
  /** It has ended: by itself, with the connection, or because the client ended it. */
  ended: () => void;
}

/** Subscribes at a gateway. @returns what ends the subscription */
export type Subscribe = (url: string, query: string, variables: object, heard: Heard) => () => void;

interface Sink {
  next: (result: any) => void;
  error: (error: unknown) => void;
  complete: () => void;
}

/** Passes what graphql-sse's client hears on to a library over it. */
function forward(url: string, request: RequestParams, sink: Sink, heard: Heard): () => void {
  const client = createClient({
    url: `${url}/graphql`,
    retryAttempts: 0,
    on: { connected: heard.begun },
  });
  return client.subscribe<any, any>(request, {
    next: (result) => sink.next(result),
    error: (error) => {
      sink.error(error);
      heard.ended();
    },
    complete: () => {
      sink.complete();
      heard.ended();
    },
  });
}

const tell = (data: unknown, errors: readonly { extensions?: Record<string, unknown> }[], heard: Heard) => {
  for (const { extensions } of errors) heard.failed(extensions?.['code']);
  if (data) heard.data(data);
};

/** The client of graphql-sse, and the links of urql and Apollo over it. */
export const liveClients = {
  'graphql-sse': (url, query, variables, heard) => {
    const sink: Sink = {
      next: ({ data, errors = [] }) => tell(data, errors, heard),
      error: () => undefined,
      complete: () => undefined,
    };
    return forward(url, { query, variables: { ...variables } }, sink, heard);
  },

  urql: (url, query, variables, heard) => {
    const client = new Client({
      url: `${url}/graphql`,
      preferGetMethod: false,
      exchanges: [
        fetchExchange,
        subscriptionExchange({
          forwardSubscription: ({ query: text = '', variables: values }) => ({
            subscribe: (sink) => ({
              unsubscribe: forward(
                url,
                { query: text, variables: values as Record<string, unknown> },
                sink,
                heard,
              ),
            }),
          }),
        }),
      ],
    });
    const subscription = client
      .subscription<unknown>(query, variables)
      .subscribe(({ data, error }) => tell(data, error?.graphQLErrors ?? [], heard));
    return () => subscription.unsubscribe();
  },

  Apollo: (url, query, variables, heard) => {
    const link = new ApolloLink(
      ({ query: document, variables: values, operationName }) =>
        new Observable((sink) =>
          forward(url, { query: print(document), variables: values, operationName }, sink as Sink, heard),
        ),
    );
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const subscription = client.subscribe<unknown>({ query: gql(query), variables }).subscribe({
      next: ({ data, error }) => {
        const { errors = [] } = (error ?? {}) as { errors?: { extensions?: Record<string, unknown> }[] };
        tell(data, errors, heard);
      },
    });
    return () => subscription.unsubscribe();
  },
} satisfies Record<string, Subscribe>;
