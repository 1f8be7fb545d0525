import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ErrorCode } from '../errors.js';
import type { RouteBody } from './body.js';
import type { ArgumentSchema, Arguments, ArgumentValues } from '../arguments/argument.js';
import type { JsonSchemas } from '../fields/json-schema.js';
import type { ReadParameters } from './parameter.js';

/** A path of the REST API and the GraphQL operation behind it. */
export interface Route {
  method: 'GET' | 'POST';
  /** OpenAPI's form: `/v1/networks/{network}/…`; a colon stands for itself. */
  path: string;
  summary: string;
  description: string;
  /** Those that the path names stand there, the others in the query string. */
  parameters: Arguments;
  /** Of a POST; its value is the last argument of `variables`. */
  body?: RouteBody<unknown>;
  /** A trusted document: parsed and validated once, at start. */
  document: TypedDocumentNode<unknown, Record<string, unknown>>;
  /** The variables of the document, where they are not those that the parameters make. */
  variables?: (values: never, body: never) => Record<string, unknown>;
  /** The body as JSON text, empty for none; null when what was asked for is not held: 404. */
  reply: (data: never, values: never) => string | null;
  /** What the 404 says is missing. */
  missing?: (values: never, texts: never) => string;
  response: RouteResponse;
  /** How it can refuse beside what every route can. */
  refusals?: readonly ErrorCode[];
}

export interface RouteResponse {
  description: string;
  /** Status of success; 200 where it is not given. */
  status?: number;
  /** Left out where the reply has no body. */
  schema?: ArgumentSchema;
  /** The schemas that it refers to, by name. */
  components?: JsonSchemas;
  example?: unknown;
}

/** Declares a route; only ties the types of its parts together. */
export function defineRoute<
  P extends Arguments,
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
  variables?: (values: ArgumentValues<P>, body: Body) => Variables;
  reply: (data: Data, values: ArgumentValues<P>) => string | null;
  missing?: (values: ArgumentValues<P>, texts: ReadParameters<P>['texts']) => string;
  response: RouteResponse;
  refusals?: readonly ErrorCode[];
}): Route {
  return route as unknown as Route;
}
