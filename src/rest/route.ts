import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { RouteBody } from './body.js';
import type { ParameterSchema, Parameters, ParameterValues } from './parameter.js';

/** A path of the REST API and the GraphQL operation behind it. */
export interface Route {
  method: 'GET' | 'POST';
  /** OpenAPI's form: `/v1/networks/{network}/…`; a colon stands for itself. */
  path: string;
  summary: string;
  description: string;
  parameters: Parameters;
  /** Of a POST; its value is the last argument of `variables`. */
  body?: RouteBody<unknown>;
  /** A trusted document: parsed and validated once, at start. */
  document: TypedDocumentNode<unknown, Record<string, unknown>>;
  variables: (parameters: never, body: never) => Record<string, unknown>;
  /** The body as JSON text, empty for none; null when what was asked for is not held: 404. */
  reply: (data: never, parameters: never) => string | null;
  /** What the 404 says is missing. */
  missing?: (parameters: never) => string;
  response: RouteResponse;
}

export interface RouteResponse {
  description: string;
  /** Status of success; 200 where it is not given. */
  status?: number;
  /** Left out where the reply has no body. */
  schema?: ParameterSchema;
}

/** Declares a route; only ties the types of its parts together. */
export function defineRoute<
  P extends Parameters,
  Data,
  Variables extends Record<string, unknown>,
  Body = never,
>(route: {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  description: string;
  parameters: P;
  body?: RouteBody<Body>;
  document: TypedDocumentNode<Data, Variables>;
  variables: (parameters: ParameterValues<P>, body: Body) => Variables;
  reply: (data: Data, parameters: ParameterValues<P>) => string | null;
  missing?: (parameters: ParameterValues<P>) => string;
  response: RouteResponse;
}): Route {
  return route as unknown as Route;
}
