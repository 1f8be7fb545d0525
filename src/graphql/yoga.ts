import { GraphQLError, type DocumentNode, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Access } from '../access/access-control.js';
import { errorKinds, type AppError } from '../errors.js';
import { toAppError } from '../failure.js';
import { storageFor, type Context, type Services } from './context.js';
import type { Live } from '../live/streams.js';
import { readInTurn } from './document-charge.js';
import type { Documents } from './documents.js';
import { answerIntrospection, type IntrospectionAnswers } from './introspection.js';
import type { Admission } from './limits/admission.js';
import type { NewDocuments } from './new-documents.js';
import { limitDocuments } from './limits/plugin.js';
import { settleCharge } from './rate-limit.js';
import { traceOperations } from './trace-operations.js';
import { trustedOnly, type TrustedOperations } from './trusted-operations.js';
import { exactParameters } from './request-parameters.js';

export type GraphQLServer = ReturnType<typeof createGraphQLServer>;

/** What the HTTP layer passes to an operation. */
export interface OperationContext {
  access: Access;
  /** Whether it came from a page of another site, which may not change anything here. */
  foreign: boolean;
}

/** What a process remembers of clients' documents, and which it admits. */
export interface DocumentCaches {
  trusted: TrustedOperations;
  documents: Documents;
  answers: IntrospectionAnswers;
  newDocuments: NewDocuments;
}

/**
 * The GraphQL endpoint for client documents.
 *
 * @param schema the published schema
 * @param admission of the documents
 * @param caches of parsed documents and of answers to introspection, the turns in which new documents are
 *   read, and which are admitted
 * @param live what subscriptions come from
 */
export function createGraphQLServer(
  schema: GraphQLSchema,
  services: Services,
  admission: Admission,
  { trusted, documents, answers, newDocuments }: DocumentCaches,
  live: Live,
) {
  return createYoga<OperationContext, Context>({
    schema,
    // A new object for each operation, because loaders are cached by it.
    context: ({ access }): Context => ({
      ...services,
      ...access,
      storage: storageFor(services, access),
      trusted: null,
      live,
    }),
    graphqlEndpoint: '/graphql',
    maskedErrors: { maskError: (error) => toGraphQLError(error, services) },
    // src/http/graphiql.ts serves the page of the package itself.
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    cors: false,
    logging: false,
    parserAndValidationCache: {
      documentCache: {
        get: (text) => documents.findCounted(text),
        // It is cached only if it is valid: see rememberValid.
        set: () => undefined,
      },
      errorCache: { get: () => undefined, set: () => undefined },
    },
    plugins: [
      exactParameters,
      trustedOnly(trusted, (error) => toGraphQLError(error, services)),
      readInTurn(services.config, documents, newDocuments, (error) => toGraphQLError(error, services)),
      limitDocuments(admission, services.config, (error) => toGraphQLError(error, services)),
      codesOfValidation,
      rememberValid(documents),
      traceOperations,
      answerIntrospection(answers),
      settleCharge((error) => toGraphQLError(error, services)),
    ],
  });
}

/** The GraphQL result for a request that was refused before its document was read. */
export function refusedResult(error: AppError): { errors: GraphQLFormattedError[] } {
  return { errors: [{ message: error.message, extensions: errorExtensions(error) }] };
}

/** Longest message of graphql-js that is returned, characters. */
const LONGEST_MESSAGE = 1000;
/** Any error in the form that a client sees, with a code of the closed list. */
export function toGraphQLError(error: unknown, { log }: Pick<Services, 'log'>): GraphQLError {
  const original = error instanceof GraphQLError ? error.originalError : error;
  // Without a cause it is an error of graphql-js about the document: syntax, validation, coercion.
  if (error instanceof GraphQLError && (!original || original instanceof GraphQLError))
    return withCode(error);
  const shown = toAppError(original, log);
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : new GraphQLError('');
  return new GraphQLError(shown.message, { nodes, source, positions, path, extensions: extensionsOf(shown) });
}

// Yoga and its executor have their own codes for wrong documents; clients get those of the closed list.
function withCode(error: GraphQLError): GraphQLError {
  // It quotes names and values of the document in full.
  if (error.message.length > LONGEST_MESSAGE) error.message = `${error.message.slice(0, LONGEST_MESSAGE)}…`;
  const code = error.extensions['code'];
  if (typeof code !== 'string' || !(code in errorKinds)) error.extensions['code'] = 'BAD_USER_INPUT';
  // Yoga sets the status for a wrong document, but not for wrong variables, although nothing runs for those
  // either.
  if (!error.path) error.extensions['http'] ??= { status: 400, spec: true };
  return error;
}

/** Gives the errors of validation, which Yoga does not mask, a code of the closed list. */
const codesOfValidation: Plugin = {
  onValidate: () => (outcome) => {
    for (const error of outcome.valid ? [] : outcome.result) withCode(error as GraphQLError);
  },
};

/** Caches only documents that can run. */
const rememberValid = (documents: Documents): Plugin => ({
  onValidate:
    ({ params: { documentAST } }) =>
    ({ valid }) => {
      const document = documentAST as DocumentNode;
      if (valid) documents.remember(document.loc?.source.body ?? '', document);
    },
});

function extensionsOf(error: AppError): Record<string, unknown> {
  return {
    ...errorExtensions(error),
    ...(decidesStatus(error) && { http: httpOf(error) }),
    ...(error.code === 'QUERY_TOO_COMPLEX' && { http: { ...httpOf(error), spec: true } }),
  };
}

function errorExtensions({ code, messages, retryAfterSeconds }: AppError): Record<string, unknown> {
  return {
    code,
    ...(Array.isArray(messages) && { messages }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

// Only an error of the whole request decides its status; a field's error stays in the result.
function decidesStatus({ code }: AppError): boolean {
  return [
    'UNAUTHENTICATED',
    'FORBIDDEN',
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMITED',
    'SERVICE_UNAVAILABLE',
  ].includes(code);
}

function httpOf({ status, retryHeaders }: AppError) {
  return { status, headers: retryHeaders };
}

/** Media types of results (GraphQL over HTTP, "Media Types"). */
export const resultTypes = ['application/json', 'application/graphql-response+json'] as const;
export type ResultType = (typeof resultTypes)[number];

/**
 * HTTP status and headers that an operation's errors require; `http` is removed from them. What is marked
 * `spec` counts only for application/graphql-response+json: in application/json a wrong document is a 200
 * (GraphQL over HTTP, "application/json").
 */
export function takeHttp(
  errors: readonly GraphQLFormattedError[] | undefined,
  type: ResultType,
): { status: number; headers: Record<string, string> } {
  const http = { status: 200, headers: {} as Record<string, string> };
  for (const { extensions } of errors ?? []) {
    const own = extensions?.['http'] as (Partial<typeof http> & { spec?: boolean }) | undefined;
    if (!own) continue;
    if (!own.spec || type === 'application/graphql-response+json')
      http.status = Math.max(http.status, own.status ?? 0);
    Object.assign(http.headers, own.headers);
    delete (extensions as Record<string, unknown>)['http'];
  }
  return http;
}
