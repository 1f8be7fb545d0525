import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  isListType,
  isNonNullType,
  Kind,
  parseType,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type {
  DocumentNode,
  GraphQLSchema,
  OperationDefinitionNode,
  ValueNode,
  VariableDefinitionNode,
} from 'graphql';
import { parseBounded } from '../graphql/limits/tokens.js';
import type { Literals } from './literals.js';

/** How the variables of literals begin; the index of the literal follows. */
export const PREFIX = 'literal_';

/**
 * Scalars that accept the same texts and whole numbers as literals and as values of variables, and make the
 * same of both. An enum does not: it refuses a text as a literal.
 */
export const sameForms: ReadonlySet<string> = new Set([
  'ID',
  'Int',
  'String',
  'BigNumber',
  'Decimal',
  'Long',
]);

/**
 * The text with variables instead of the literals that were taken out of it; null unless each of them can be
 * one. They are found by their positions in the text: other literals of the document stay in the shape, and
 * so in what is written.
 */
export function withVariables(
  schema: GraphQLSchema,
  text: string,
  { shape, literals }: Literals,
  maxTokens: number,
): string | null {
  const document = parseOrNull(text, maxTokens);
  const operations = document?.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION) ?? [];
  if (!document || operations.length !== 1 || shape.includes(PREFIX)) return null;
  const definitions: VariableDefinitionNode[] = [];
  const types = new TypeInfo(schema);
  const indexes = new Map(literals.map(({ start, end }, index) => [`${start} ${end}`, index]));
  const replace = ({ loc }: ValueNode) => {
    const index = loc && indexes.get(`${loc.start} ${loc.end}`);
    return index === undefined ? undefined : variableOf(types, PREFIX + String(index), definitions);
  };
  const replaced = visit(
    document,
    visitWithTypeInfo(types, {
      // No variable can stand there, or the plan depends on the value.
      Directive: () => false,
      VariableDefinition: () => false,
      Argument: (node) => (isPageSize(node.name.value, node.value) ? false : undefined),
      // A list instead of a scalar: the scalar reads it.
      ListValue: () => (isListType(getNullableType(types.getParentInputType())) ? undefined : false),
      StringValue: replace,
      IntValue: replace,
    }),
  );
  if (definitions.length !== literals.length) return null;
  const written = visit(replaced, {
    OperationDefinition: (node): OperationDefinitionNode => ({
      ...node,
      variableDefinitions: [...(node.variableDefinitions ?? []), ...definitions],
    }),
  });
  return print(written);
}

const isPageSize = (name: string, { kind }: ValueNode) =>
  kind === Kind.INT && (name === 'first' || name === 'last');

/** A variable of the type that is expected where a literal stands; the literal itself where none can be. */
function variableOf(
  types: TypeInfo,
  named: string,
  definitions: VariableDefinitionNode[],
): ValueNode | undefined {
  const type = types.getInputType();
  if (!type || !sameForms.has(getNamedType(type).name)) return undefined;
  const name = { kind: Kind.NAME as const, value: named };
  const variable = { kind: Kind.VARIABLE as const, name };
  definitions.push({
    kind: Kind.VARIABLE_DEFINITION,
    variable,
    type: parseType(String(isNonNullType(type) ? type : new GraphQLNonNull(type))),
  });
  return variable;
}

/** A text as a document; null if it is none, or has too many tokens. */
export function parseOrNull(text: string, maxTokens: number): DocumentNode | null {
  try {
    return parseBounded(text, maxTokens, undefined);
  } catch {
    return null;
  }
}
