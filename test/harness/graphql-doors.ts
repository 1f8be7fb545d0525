import type { TestApp } from './app.js';

export const json = 'application/json';
export const result = 'application/graphql-response+json';
const form = 'application/x-www-form-urlencoded';

interface Body {
  data?: Record<string, unknown>;
  errors?: { message: string; extensions: Record<string, unknown> }[];
}

/** A request to GraphQL, whatever it may be. */
export interface Ask {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  query?: Record<string, string>;
  type?: string;
  accept?: string;
  body?: string;
}

export async function askGraphQL(
  { app }: Pick<TestApp, 'app'>,
  { method = 'POST', query, type, accept, body }: Ask,
) {
  const reply = await app.inject({
    method,
    url: '/graphql',
    query,
    headers: { ...(type && { 'content-type': type }), ...(accept && { accept }) },
    payload: body,
  });
  return { reply, body: reply.body === '' ? null : (JSON.parse(reply.body) as Body) };
}

export type Door = (query: string, variables: string, operationName?: string) => Ask;

const posted: (...operation: Parameters<Door>) => string = (query, variables, operationName) =>
  `{"query":${JSON.stringify(query)},"variables":${variables}${operationName ? `,"operationName":"${operationName}"` : ''}}`;

/** Every way to send a document and the text of its variables. */
export const doors: Record<string, Door> = {
  'a plain JSON request': (...operation) => ({ type: json, body: posted(...operation) }),
  'a request for graphql-response+json': (...operation) => ({
    type: json,
    accept: result,
    body: posted(...operation),
  }),
  'a GET request': (query, variables, operationName) => ({
    method: 'GET',
    accept: json,
    query: { query, variables, ...(operationName && { operationName }) },
  }),
  'a form': (query, variables, operationName) => ({
    type: form,
    accept: json,
    body: new URLSearchParams({ query, variables, ...(operationName && { operationName }) }).toString(),
  }),
};

export interface GraphQLAnswer {
  status: number;
  data?: unknown;
  messages: string[];
  codes: unknown[];
}

/** Sends operations through one entry, and returns the part of the answer that most tests check. */
export function sendThrough(gateway: () => TestApp, door: Door) {
  return async (query: string, variables: object = {}, operationName?: string): Promise<GraphQLAnswer> => {
    const { reply, body } = await askGraphQL(
      gateway(),
      door(query, JSON.stringify(variables), operationName),
    );
    return {
      status: reply.statusCode,
      data: body?.data,
      messages: body?.errors?.map(({ message }) => message) ?? [],
      codes: body?.errors?.map(({ extensions }) => extensions['code']) ?? [],
    };
  };
}
