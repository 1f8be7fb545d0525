import { GraphQLOneOfDirective, lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';

/**
 * A schema as text, in a fixed order. It defines `@oneOf`, which graphql-js considers known and leaves out:
 * older tools (graphql-js 15, gqlparser 2.5.10) refuse a text that uses it without defining it.
 */
export function schemaText(schema: GraphQLSchema): string {
  const { name, description, locations } = GraphQLOneOfDirective;
  const oneOf = `"""${description}"""\ndirective @${name} on ${locations.join(' | ')}`;
  return `${oneOf}\n\n${printSchema(lexicographicSortSchema(schema))}\n`;
}
