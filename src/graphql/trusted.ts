import { GraphQLError, validate, type DocumentNode, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { Access } from '../access/access-control.js';
import { AppError } from '../errors.js';
import { storageFor, type Context, type Services } from './context.js';

/** Runs a document that we wrote, for a caller who paid; see Context.trusted for `values`. @throws AppError, or whatever a resolver threw */
export type TrustedExecutor = (
  document: DocumentNode,
  variables: Record<string, unknown>,
  access: Access,
  values: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

/**
 * An executor of trusted documents on the whole schema, internal fields included. They are exempt from the
 * limits of client documents; their arguments were read by their route.
 *
 * @param documents all documents it will run: validated here, once
 * @throws Error when a document does not fit the schema
 */
export function trustedExecutor(
  schema: GraphQLSchema,
  documents: readonly DocumentNode[],
  services: Services,
): TrustedExecutor {
  const compiled = new Map(documents.map((document) => [document, compile(schema, document)]));
  return async (document, variables, access, values) => {
    const storage = storageFor(services, access);
    const contextValue: Context = { ...services, ...access, storage, trusted: { values } };
    const query = compiled.get(document);
    if (!query) throw new Error('a document that was not compiled');
    const result = (await query(undefined, contextValue, variables)) as ExecutionResult<
      Record<string, unknown>
    >;
    const [error] = result.errors ?? [];
    if (error) throw causeOf(error);
    return result.data ?? {};
  };
}

function compile(schema: GraphQLSchema, document: DocumentNode): CompiledQuery['query'] {
  const [problem] = validate(schema, document);
  if (problem) throw problem;
  const made = compileQuery(schema, document);
  if (isCompiledQuery(made)) return made.query;
  throw made.errors?.[0] ?? new Error('a document cannot be compiled');
}

/** What a resolver threw, without GraphQL's wrapping. */
export function causeOf(error: GraphQLError): Error {
  const cause = error.originalError;
  if (cause instanceof GraphQLError) return causeOf(cause);
  if (cause) return cause;
  // Coercion errors of scalars and variables have no cause: they are the caller's fault.
  return new AppError('BAD_USER_INPUT', error.message);
}
