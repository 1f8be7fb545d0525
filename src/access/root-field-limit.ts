import { collectFields } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type FragmentDefinitionNode,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { type Charge, refusal } from './charge.js';
import type { FieldLimiter } from './field-limiter.js';

/** The part of the GraphQL context that charging needs. */
export interface ChargedContext {
  charge: Charge;
}

/**
 * Has every root field of the schema but the free ones charge its request, so that no resource has to. Changes the
 * schema.
 *
 * @param freeFields names of root fields that cost nothing, such as `rateLimit`; what introspection costs is said in graphql/introspection.ts
 */
export function limitRootFields(
  schema: GraphQLSchema,
  freeFields: ReadonlySet<string>,
  fields: FieldLimiter,
): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      if (!freeFields.has(field.name))
        field.resolve = limitedResolver(field.resolve ?? defaultFieldResolver, freeFields, fields);
    }
  }
}

/**
 * A root field's resolver that runs only when the request's charge is admitted. The first field of an operation
 * pays for all of them in one step: 1 for each response key that is not free, so that aliases count and a field
 * selected twice under one key does not, or more by the operation's cost (charge.ts). Then the calls of fields with
 * limits of their own are counted, wherever in the operation they are. It is admitted or refused as a whole.
 *
 * @throws AppError RATE_LIMITED, from every root field alike
 */
function limitedResolver<Source, Context extends ChargedContext, Args, Result>(
  resolve: GraphQLFieldResolver<Source, Context, Args, Result>,
  freeFields: ReadonlySet<string>,
  fields: FieldLimiter,
): GraphQLFieldResolver<Source, Context, Args, Result | Promise<Awaited<Result>>> {
  return (source, args, context, info) => {
    const { charge } = context;
    // Paid before, by REST or by an earlier field of a mutation.
    if (charge.decision?.admitted && !fields.concerns(charge, info))
      return resolve(source, args, context, info);
    return admit(charge, info, freeFields, fields).then(() =>
      resolve(source, args, context, info),
    ) as Promise<Awaited<Result>>;
  };
}

async function admit(
  charge: Charge,
  info: GraphQLResolveInfo,
  freeFields: ReadonlySet<string>,
  fields: FieldLimiter,
): Promise<void> {
  const decision = charge.decision ?? (await charge.takeOperation(paidFields(info, freeFields)));
  if (!decision.admitted) throw refusal(decision, charge.plan);
  if (fields.concerns(charge, info)) await charge.takeCalls(() => fields.take(charge, info));
}

function paidFields(info: GraphQLResolveInfo, freeFields: ReadonlySet<string>): number {
  const names = rootFieldsOf(
    info.schema,
    info.fragments,
    info.variableValues,
    info.parentType,
    info.operation,
  );
  return names.filter((name) => !name.startsWith('__') && !freeFields.has(name)).length;
}

/** Names of the root fields of an operation, one for each key of its result. */
export function rootFieldsOf(
  schema: GraphQLSchema,
  fragments: Record<string, FragmentDefinitionNode>,
  variables: Record<string, unknown>,
  root: GraphQLObjectType,
  { selectionSet }: OperationDefinitionNode,
): string[] {
  const values = { coerced: variables, sources: {} };
  const { fields } = collectFields(schema, fragments, values, root, selectionSet);
  return [...fields.values()].map(([field]) => field?.name.value ?? '');
}
