import { getNamedType, getNullableType, isLeafType, isListType, isObjectType, Kind, visit } from 'graphql';
import type { FieldNode, GraphQLField, GraphQLObjectType } from 'graphql';
import type { FieldSource } from '../graphql/sql-source.js';
import { Unsupported } from './unsupported.js';

/** The SQL source that a field declares. */
export function sourceOf({ extensions }: GraphQLField<unknown, unknown>): FieldSource {
  return (extensions as { sql?: FieldSource }).sql ?? {};
}

/** The name of the field that nodes of one key select. */
export function nameOf([node]: readonly FieldNode[]): string {
  return node?.name.value ?? '';
}

/** @throws Unsupported for a field that the type does not declare itself, as `__schema` */
export function fieldOf(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): GraphQLField<unknown, unknown> {
  const field = type.getFields()[nameOf(nodes)];
  if (!field) throw new Unsupported(nameOf(nodes));
  return field;
}

/** The object type of a field that returns objects, one or a list of them. */
export function objectOf(field: GraphQLField<unknown, unknown>): GraphQLObjectType {
  const type = getNamedType(field.type);
  const shown = getNullableType(field.type);
  if (
    isLeafType(type) ||
    !isObjectType(type) ||
    (isListType(shown) && !['nodes', 'edges'].includes(field.name))
  )
    throw new Unsupported(field.name);
  return type;
}

/** The part for `__typename`. */
export function typename(key: string, { name }: GraphQLObjectType) {
  return { key, is: 'sql', sql: `'"${name}"'` } as const;
}

/** SQL of the JSON text of a global id: see encodeGlobalID. */
export function globalId(typename: string, key: string): string {
  const bytes = `convert_to('${typename}:' || ${key}, 'UTF8')`;
  return `'"' || translate(encode(${bytes}, 'base64'), E'+/=\\n', '-_') || '"'`;
}

/** Whether an argument of the field contains a variable. */
export function hasVariable(node: FieldNode): boolean {
  let found = false;
  for (const argument of node.arguments ?? [])
    visit(argument, {
      [Kind.VARIABLE]: () => {
        found = true;
      },
    });
  return found;
}
