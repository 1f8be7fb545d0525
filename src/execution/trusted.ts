import { execute, GraphQLError, validate } from 'graphql';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Access } from '../access/access-control.js';
import { AppError } from '../errors.js';
import type { Context, Services } from '../graphql/context.js';
import type { Admission } from '../graphql/limits/admission.js';
import type { MeasuredOperation } from '../graphql/limits/measured.js';
import type { Reader } from '../storage/reader.js';
import { trustedPlan, type TrustedPlan } from './trusted-plan.js';

/**
 * Runs a document that we wrote, for a caller who paid; see Context.trusted for `values`.
 *
 * @param storage what it reads through
 * @throws AppError, or whatever a resolver threw
 */
export type TrustedExecutor = (
  document: DocumentNode,
  variables: Record<string, unknown>,
  access: Access,
  values: Readonly<Record<string, unknown>>,
  storage: Reader,
) => Promise<Record<string, unknown>>;

interface Known {
  operation: MeasuredOperation;
  /** Null for what the plain executor runs. */
  plan: TrustedPlan | null;
}

/**
 * An executor of trusted documents on the whole schema, including internal fields: by their plans, or else by
 * the plain executor.
 *
 * @param documents all documents it will run: validated here, once
 * @param admission of documents of ours on the whole schema
 * @throws Error when a document does not fit the schema
 */
export function trustedExecutor(
  schema: GraphQLSchema,
  documents: readonly DocumentNode[],
  services: Services,
  admission: Admission,
): TrustedExecutor {
  const known = new Map(documents.map((document) => [document, know(schema, document, admission)]));
  return async (document, variables, access, values, storage) => {
    const found = known.get(document);
    if (!found) throw new Error('the document was not validated');
    const { refusal } = await admission.admit(admission.measure(found.operation, variables), access);
    if (refusal) throw refusal;
    // Inherited: copying them all took 2 % of a request's processor time.
    const contextValue = Object.create(services) as Context;
    Object.assign(contextValue, access, { storage, trusted: { values } });
    const read = await found.plan?.read(variables, contextValue);
    return read ?? plainly(schema, document, variables, contextValue);
  };
}

function know(schema: GraphQLSchema, document: DocumentNode, admission: Admission): Known {
  const [problem] = validate(schema, document);
  if (problem) throw problem;
  const operation = admission.operationOf(document, undefined);
  if (!operation) throw new Error('a document without an operation');
  return { operation, plan: trustedPlan(operation) };
}

async function plainly(
  schema: GraphQLSchema,
  document: DocumentNode,
  variableValues: Record<string, unknown>,
  contextValue: Context,
): Promise<Record<string, unknown>> {
  const result: ExecutionResult = await execute({ schema, document, variableValues, contextValue });
  const [error] = result.errors ?? [];
  if (error) throw causeOf(error);
  return result.data ?? {};
}

/** What a resolver threw, without GraphQL's wrapping. */
function causeOf(error: GraphQLError): Error {
  const cause = error.originalError;
  if (cause instanceof GraphQLError) return causeOf(cause);
  if (cause) return cause;
  // Coercion errors of scalars and variables have no cause: they are the caller's fault.
  return new AppError('BAD_USER_INPUT', error.message);
}
