import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Network } from '../avalanche/networks.js';
import type { ErrorCode } from '../errors.js';
import type { RouteBody } from './body.js';
import type { ArgumentSchema, Arguments, ArgumentValues } from '../arguments/argument.js';
import type { JsonSchemas } from '../fields/json-schema.js';
import type { ReadParameters } from './parameter.js';

/** The writes on which an answer depends, and nothing else: neither the present time nor a node's word. */
export interface DataOf {
  /** Those under the lock of the network, */
  readonly network: Network;
  /** or, of an answer that is made of outputs and their assets alone, those of outputs of these addresses. */
  readonly outputsOf?: readonly string[] | null | undefined;
}

/** Of an answer that depends on what is written of its network. */
export const ofNetwork = ({ network }: { readonly network: Network }): DataOf => ({ network });

/** The methods of paths. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A document for some values of a route's parameters. */
export interface OtherDocument<Values> {
  readonly document: TypedDocumentNode<unknown, Record<string, unknown>>;
  readonly isFor: (values: Values) => boolean;
}

/** A path of the REST API and the GraphQL operation that answers it. */
export interface Route {
  method: Method;
  /** OpenAPI's form: `/v1/networks/{network}/…`; a colon is literal. */
  path: string;
  summary: string;
  description: string;
  /** Those that the path names are in the path, the others in the query string. */
  parameters: Arguments;
  /** Published parameters that cannot be answered, and why: a sentence that refuses them. */
  unsupported?: Readonly<Record<string, string>>;
  /** Not of a GET; its value is the last argument of `variables`. */
  body?: RouteBody<unknown>;
  /** A trusted document: parsed and validated once, at start. */
  document: TypedDocumentNode<unknown, Record<string, unknown>>;
  /** Another one, of the same variables, and the values for which it is run instead. */
  other?: OtherDocument<never>;
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
  /**
   * When that happened after which an answer hardly ever changes, Unix seconds; undefined for one that can
   * change.
   */
  settledAt?: (data: never, values: never) => number | undefined;
  /** Absent: what its answer depends on is not known, so it is made anew to see whether it is the same. */
  dataOf?: (values: never) => DataOf;
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

/** All documents of routes. */
export const documentsOf = (routes: readonly Route[]) =>
  routes.flatMap(({ document, other }) => [document, ...(other ? [other.document] : [])]);

/** Declares a route; it only connects the types of its parts. */
export function defineRoute<
  P extends Arguments,
  Data,
  Variables extends Record<string, unknown>,
  Body = never,
>(route: {
  method: Method;
  path: string;
  summary: string;
  description: string;
  parameters: P;
  unsupported?: Readonly<Record<string, string>>;
  body?: RouteBody<Body>;
  document: TypedDocumentNode<Data, Variables>;
  other?: OtherDocument<ArgumentValues<P>> | undefined;
  variables?: (values: ArgumentValues<P>, body: Body) => Variables;
  values?: (values: ArgumentValues<P>) => Readonly<Record<string, unknown>>;
  reply: (data: Data, values: ArgumentValues<P>) => string | null;
  missing?: (values: ArgumentValues<P>, texts: ReadParameters<P>['texts']) => string;
  settledAt?: ((data: Data, values: ArgumentValues<P>) => number | undefined) | undefined;
  dataOf?: ((values: ArgumentValues<P>) => DataOf) | undefined;
  response: RouteResponse;
  refusals?: readonly ErrorCode[];
}): Route {
  return route as unknown as Route;
}
