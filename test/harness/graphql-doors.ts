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

/** Every way in which a document and the text of its variables can be sent. */
export const doors: Record<string, (query: string, variables: string) => Ask> = {
  'a plain JSON request': (query, variables) => ({
    type: json,
    body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
  }),
  'a request for graphql-response+json': (query, variables) => ({
    type: json,
    accept: result,
    body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
  }),
  'a GET request': (query, variables) => ({ method: 'GET', accept: json, query: { query, variables } }),
  'a form': (query, variables) => ({
    type: form,
    accept: json,
    body: new URLSearchParams({ query, variables }).toString(),
  }),
};
