import type { InjectOptions } from 'fastify';
import type { TestApp } from './app.js';

export interface GraphQLAnswer {
  status: number;
  data?: unknown;
  messages: string[];
  codes: unknown[];
}

type Door = (query: string, variables?: object, operationName?: string) => Promise<GraphQLAnswer>;

/** The three ways in, by name: the fast path, Yoga's own HTTP, and GET. */
export function graphqlDoors(gateway: () => TestApp): [name: string, door: Door][] {
  const posting =
    (headers: Record<string, string>): Door =>
    (query, variables, operationName) =>
      ask(gateway(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        payload: JSON.stringify({ query, variables, operationName }),
      });
  return [
    ['a plain JSON request', posting({})],
    ['a request for graphql-response+json', posting({ accept: 'application/graphql-response+json' })],
    [
      'a GET request',
      (query, variables = {}, operationName) =>
        ask(gateway(), {
          method: 'GET',
          headers: { accept: 'application/json' },
          query: { query, variables: JSON.stringify(variables), ...(operationName && { operationName }) },
        }),
    ],
  ];
}

async function ask({ app }: TestApp, request: InjectOptions): Promise<GraphQLAnswer> {
  const reply = await app.inject({ ...request, url: '/graphql' });
  const body = JSON.parse(reply.body) as {
    data?: unknown;
    errors?: { message: string; extensions?: { code?: unknown } }[];
  };
  return {
    status: reply.statusCode,
    data: body.data,
    messages: body.errors?.map(({ message }) => message) ?? [],
    codes: body.errors?.map(({ extensions }) => extensions?.code) ?? [],
  };
}
