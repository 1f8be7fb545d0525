import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ErrorCode } from '../errors.js';
import type { RouteBody } from './body.js';
import type { ArgumentSchema, Arguments, ArgumentValues } from '../arguments/argument.js';
import type { JsonSchemas } from '../fields/json-schema.js';
import type { ReadParameters } from './parameter.js';

/** A path of the REST API and the GraphQL operation that answers it. */
export interface Route {
  method: 'GET' | 'POST';
  /** OpenAPI's form: `/v1/networks/{network}/…`; a colon is literal. */
  path: string;
  summary: string;
  description: string;
  /** Those that the path names are in the path, the others in the query string. */
  parameters: Arguments;
  /** Published parameters that cannot be answered, and why: a sentence that refuses them. */
  unsupported?: Readonly<Record<string, string>>;
  /** Of a POST; its value is the last argument of `variables`. */
  body?: RouteBody<unknown>;
  /** A trusted document: parsed and validated once, at start. */
  document: TypedDocumentNode<unknown, Record<string, unknown>>;
  /** The variables of the document, if they are not those that the parameters make. */
  variables?: (values: never, body: never) => Record<string, unknown>;
  /**
   * The values of GraphQL's arguments by name, if they are not those of the parameters: all fields of the
   * document have them.
   */
  values?: (values: never) => Readonly<Record<string, unknown>>;
  /** The body as JSON text, empty for none; null when the object is not stored: 404. */
  reply: (data: never, values: never) => string | null;
  /** What is missing, for the message of the 404. */
  missing?: (values: never, texts: never) => string;
  response: RouteResponse;
  /** Its refusals in addition to those of every route. */
  refusals?: readonly ErrorCode[];
}

export interface RouteResponse {
  description: string;
  /** Status of success; 200 if not given. */
  status?: number;
  /** Absent if the reply has no body. */
  schema?: ArgumentSchema;
  /** The schemas that it refers to, by name. */
  components?: JsonSchemas;
  example?: unknown;
}

/** Declares a route; it only connects the types of its parts. */
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
  unsupported?: Readonly<Record<string, string>>;
  body?: RouteBody<Body>;
  document: TypedDocumentNode<Data, Variables>;
  variables?: (values: ArgumentValues<P>, body: Body) => Variables;
  values?: (values: ArgumentValues<P>) => Readonly<Record<string, unknown>>;
  reply: (data: Data, values: ArgumentValues<P>) => string | null;
  missing?: (values: ArgumentValues<P>, texts: ReadParameters<P>['texts']) => string;
  response: RouteResponse;
  refusals?: readonly ErrorCode[];
}): Route {
  return route as unknown as Route;
}
