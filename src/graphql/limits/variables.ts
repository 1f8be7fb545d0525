import { getVariableValues, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';

/**
 * The values of an operation's variables; undefined when they do not fit their types, which execution reports. Checking
 * stops at the first wrong one: a list of ten thousand wrong ones would be as many errors.
 */
export function variableValues(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, unknown> | undefined {
  return getVariableValues(schema, variableDefinitions, given ?? {}, { maxErrors: 1 }).coerced;
}
