import { collectFields } from '@graphql-tools/utils';
import { defaultFieldResolver } from 'graphql';
import type {
  FragmentDefinitionNode,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../context.js';

/**
 * Has every root field of the schema but the free ones run only for an operation that was admitted, so that
 * no resource has to look. Changes the schema.
 *
 * @param freeFields names of root fields that cost nothing, such as `rateLimit`
 */
export function guardRootFields(schema: GraphQLSchema, freeFields: ReadonlySet<string>): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      if (freeFields.has(field.name)) continue;
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (source, args, context: Pick<Context, 'charge' | 'refusal'>, info) => {
        insistOnAdmission(context);
        return resolve(source, args, context, info);
      };
    }
  }
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const { subscribe } = field;
    field.subscribe = (source, args, context: Pick<Context, 'charge' | 'refusal'>, info) => {
      insistOnAdmission(context);
      return subscribe?.(source, args, context, info);
    };
  }
}

function insistOnAdmission({ refusal, charge }: Pick<Context, 'charge' | 'refusal'>): void {
  if (refusal) throw refusal;
  if (!charge.decision?.admitted) throw new Error('an operation was run without admission');
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
