import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Access } from '../access/access-control.js';
import type { AppError } from '../errors.js';
import { toAppError } from '../failure.js';
import type { Context, Services } from './context.js';
import { settleCharge } from './rate-limit.js';

export type GraphQLServer = ReturnType<typeof createGraphQLServer>;

/** What the HTTP door hands to an operation. */
export interface OperationContext {
  access: Access;
}

/**
 * The GraphQL endpoint for client documents.
 *
 * @param schema the published schema
 */
export function createGraphQLServer(schema: GraphQLSchema, services: Services, plugins: Plugin[] = []) {
  return createYoga<OperationContext, Context>({
    schema,
    // A fresh object for each operation: loaders are remembered by it.
    context: ({ access }): Context => ({ ...services, ...access, trusted: false }),
    graphqlEndpoint: '/graphql',
    maskedErrors: { maskError: (error) => toGraphQLError(error, services) },
    // The page of the package itself is served by src/http/graphiql.ts.
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    cors: false,
    logging: false,
    plugins: [...plugins, settleCharge((error) => toGraphQLError(error, services))],
  });
}

/** A request that was refused before anything of its document was read, as the result of an operation. */
export function refusedResult(error: AppError): { errors: GraphQLFormattedError[] } {
  return { errors: [{ message: error.message, extensions: toldOf(error) }] };
}

/** Any error in the form in which a client sees it, with a code of the closed list. */
function toGraphQLError(error: unknown, { log }: Services): GraphQLError {
  const original = error instanceof GraphQLError ? error.originalError : error;
  // Without a cause it is GraphQL's own word on the document: syntax, validation, coercion.
  if (error instanceof GraphQLError && (!original || original instanceof GraphQLError))
    return withCode(error);
  const shown = toAppError(original, log);
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : new GraphQLError('');
  return new GraphQLError(shown.message, { nodes, source, positions, path, extensions: extensionsOf(shown) });
}

function withCode(error: GraphQLError): GraphQLError {
  if (error.extensions['code'] === undefined) error.extensions['code'] = 'BAD_USER_INPUT';
  return error;
}

function extensionsOf(error: AppError): Record<string, unknown> {
  return { ...toldOf(error), ...(decidesStatus(error) && { http: httpOf(error) }) };
}

function toldOf({ code, messages, retryAfterSeconds }: AppError): Record<string, unknown> {
  return {
    code,
    ...(Array.isArray(messages) && { messages }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

// Only what concerns the whole request decides its status; a field's fault stays in its place in the result.
function decidesStatus({ code }: AppError): boolean {
  return ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'].includes(code);
}

function httpOf({ status, retryHeaders }: AppError) {
  return { status, headers: retryHeaders };
}

/** HTTP status and headers that an operation's errors ask for; `http` is taken out of them. */
export function takeHttp(errors: readonly GraphQLFormattedError[] | undefined): {
  status: number;
  headers: Record<string, string>;
} {
  const http = { status: 200, headers: {} as Record<string, string> };
  for (const { extensions } of errors ?? []) {
    const asked = extensions?.['http'] as typeof http | undefined;
    if (!asked) continue;
    http.status = Math.max(http.status, asked.status);
    Object.assign(http.headers, asked.headers);
    delete (extensions as Record<string, unknown>)['http'];
  }
  return http;
}
