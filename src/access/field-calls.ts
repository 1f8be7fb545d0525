import { collectFields, collectSubFields } from '@graphql-tools/utils';
import { getNamedType, isAbstractType, isObjectType, visit } from 'graphql';
import type {
  FieldNode,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';

/** What counting the calls of an operation needs of it. */
export type CountedOperation = Pick<
  GraphQLResolveInfo,
  'schema' | 'fragments' | 'variableValues' | 'operation' | 'parentType'
>;

/**
 * How often an operation calls fields, by `Type.field`: once for each key of its result under which it
 * selects them. So aliases count, a field selected twice under one key does not, and a field in the rows of a
 * list counts once, however many rows there are.
 *
 * @param operation validated, with its variables
 * @param counted the fields that are counted
 */
export function countCalls(
  { schema, fragments, variableValues, operation, parentType }: CountedOperation,
  counted: ReadonlyMap<string, unknown>,
): Map<string, number> {
  const calls = new Map<string, number>();
  const variables = { coerced: variableValues, sources: {} };
  function count(type: GraphQLObjectType, selected: Map<string, FieldNode[]>): void {
    for (const nodes of selected.values()) {
      const field = type.getFields()[nodes[0]?.name.value ?? ''];
      // Introspection and __typename are never counted.
      if (!field) continue;
      const coordinate = `${type.name}.${field.name}`;
      if (counted.has(coordinate)) calls.set(coordinate, (calls.get(coordinate) ?? 0) + 1);
      for (const inner of objectTypesOf(schema, field.type))
        count(inner, collectSubFields(schema, fragments, variables, inner, nodes).fields);
    }
  }
  count(parentType, collectFields(schema, fragments, variables, parentType, operation.selectionSet).fields);
  return calls;
}

function objectTypesOf(schema: GraphQLSchema, type: GraphQLOutputType): readonly GraphQLObjectType[] {
  const named = getNamedType(type);
  if (isObjectType(named)) return [named];
  return isAbstractType(named) ? schema.getPossibleTypes(named) : [];
}

const mentioned = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>();

/** Whether an operation's document names any of the fields, without looking at types and variables. */
export function mentionsAny(
  { operation, fragments }: Pick<CountedOperation, 'operation' | 'fragments'>,
  fields: ReadonlyMap<string, unknown>,
): boolean {
  let names = mentioned.get(operation);
  if (!names) mentioned.set(operation, (names = namesIn([operation, ...Object.values(fragments)])));
  for (const coordinate of fields.keys()) {
    if (names.has(coordinate.slice(coordinate.indexOf('.') + 1))) return true;
  }
  return false;
}

function namesIn(definitions: readonly (OperationDefinitionNode | CountedOperation['fragments'][string])[]) {
  const names = new Set<string>();
  for (const definition of definitions)
    visit(definition, { Field: ({ name }) => void names.add(name.value) });
  return names;
}
