import { GraphQLError, validate, type DocumentNode, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { Access } from '../access/access-control.js';
import type { FieldLimiter } from '../access/field-limiter.js';
import { AppError } from '../errors.js';
import { storageFor, type Context, type Services } from '../graphql/context.js';
import { TrustedStatement } from './trusted-statement.js';

/**
 * Runs a document that we wrote, for a caller who paid; see Context.trusted for `values`.
 *
 * @throws AppError, or whatever a resolver threw
 */
export type TrustedExecutor = (
  document: DocumentNode,
  variables: Record<string, unknown>,
  access: Access,
  values: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

interface Compiled {
  /** Null for a document whose lists have no parent: it is one statement anyway. */
  statement: TrustedStatement | null;
  query: CompiledQuery['query'];
}

/**
 * An executor of trusted documents on the whole schema, including internal fields. The limits of client documents do
 * not apply; the route has read the arguments.
 *
 * @param documents all documents it will run: validated here, once
 * @param fields fields that have their own limits
 * @throws Error when a document does not fit the schema
 */
export function trustedExecutor(
  schema: GraphQLSchema,
  documents: readonly DocumentNode[],
  services: Services,
  fields: FieldLimiter,
): TrustedExecutor {
  const compiled = new Map(documents.map((document) => [document, compile(schema, document)]));
  return async (document, variables, access, values) => {
    const storage = storageFor(services, access);
    // Inherited: copying them all took 2 % of a request's processor time.
    const contextValue = Object.create(services) as Context;
    Object.assign(contextValue, access, { storage, trusted: { values } });
    const made = compiled.get(document);
    if (!made) throw new Error('a document that was not compiled');
    // Calls of limited fields are counted where the document's resolvers run.
    if (made.statement && !fields.concerns(access.charge, made.statement)) {
      const read = await made.statement.read(variables, contextValue);
      if (read) return read;
    }
    const result = (await made.query(undefined, contextValue, variables)) as ExecutionResult<
      Record<string, unknown>
    >;
    const [error] = result.errors ?? [];
    if (error) throw causeOf(error);
    return result.data ?? {};
  };
}

function compile(schema: GraphQLSchema, document: DocumentNode): Compiled {
  const [problem] = validate(schema, document);
  if (problem) throw problem;
  const made = compileQuery(schema, document);
  if (!isCompiledQuery(made)) throw made.errors?.[0] ?? new Error('a document cannot be compiled');
  return { statement: TrustedStatement.of(schema, document), query: made.query };
}

/** What a resolver threw, without GraphQL's wrapping. */
function causeOf(error: GraphQLError): Error {
  const cause = error.originalError;
  if (cause instanceof GraphQLError) return causeOf(cause);
  if (cause) return cause;
  // Coercion errors of scalars and variables have no cause: they are the caller's fault.
  return new AppError('BAD_USER_INPUT', error.message);
}
