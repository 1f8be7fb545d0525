import { getNamedType, getNullableType, isLeafType, isListType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLObjectType, GraphQLOutputType } from 'graphql';
import type { ValueSource } from '../graphql/sql-source.js';
import { concat, object } from './pieces.js';
import { Unsupported } from './unsupported.js';

/** What is selected within a field. */
export type Inner = (type: GraphQLObjectType) => { key: string; name: string; inner: Inner }[];

const SAFE = Number.MAX_SAFE_INTEGER;

/** SQL of the JSON text of a value, as GraphQL's scalars write it; never NULL. */
export function valueText(
  type: GraphQLOutputType,
  source: ValueSource,
  inner: Inner,
  around?: string,
): string {
  if ('member' in source) {
    const of = source.of ?? around;
    if (of === undefined) throw new Unsupported(`the member ${source.member} of no object`);
    return jsonText(type, `(${of}->'${source.member}')`, inner);
  }
  const { form, sql, members } = source;
  if (members)
    return objectText(getNullableType(type) as GraphQLObjectType, inner, (field, name, within) => {
      const member = members.find((each) => each.name === name);
      if (!member) throw new Unsupported(name);
      return valueText(field.type, member, within);
    });
  if (!isLeafType(innermost(type))) return jsonText(type, `(${sql})::jsonb`, inner);
  const isLong = getNamedType(type).name === 'Long';
  switch (form) {
    case 'plain':
      return orNull(type, `'"' || (${sql})::text || '"'`);
    case 'text':
      return orNull(type, `to_json(${sql})::text`);
    case 'number':
      return orNull(type, isLong ? longText(sql) : `(${sql})::text`);
    case 'json':
      return orNull(type, sql);
  }
}

/**
 * Of an object, the selected members.
 *
 * @param textOf SQL of the text of a field, by its index in the object
 */
function objectText(
  type: GraphQLObjectType,
  inner: Inner,
  textOf: (field: GraphQLField<unknown, unknown>, member: string, within: Inner) => string,
): string {
  const members = inner(type).map(({ key, name, inner: within }): [string, string[]] => {
    if (name === '__typename') return [key, [`'"${type.name}"'`]];
    const field = type.getFields()[name];
    const member = field && memberOf(field);
    if (!field || member === undefined) throw new Unsupported(`${type.name}.${name}`);
    return [key, [textOf(field, member, within)]];
  });
  return concat(object(members));
}

/** Of a value in a jsonb. */
function jsonText(type: GraphQLOutputType, sql: string, inner: Inner): string {
  const shown = getNullableType(type);
  if (isListType(shown)) {
    const { ofType } = shown as { ofType: GraphQLOutputType };
    if (isLeafType(getNullableType(ofType)) && getNamedType(ofType).name === 'String')
      return orNull(type, `${sql}::text`);
    return `CASE WHEN jsonb_typeof(${sql}) = 'array' THEN concat('[', (
      SELECT string_agg(${jsonText(ofType, 'item.value', inner)}, ',' ORDER BY item.ordinal)
      FROM jsonb_array_elements(${sql}) WITH ORDINALITY AS item(value, ordinal)), ']') ELSE 'null' END`;
  }
  if (isObjectType(shown)) {
    const text = objectText(shown, inner, (field, member, within) =>
      valueText(field.type, { member }, within, sql),
    );
    return `CASE WHEN jsonb_typeof(${sql}) = 'object' THEN ${text} ELSE 'null' END`;
  }
  switch (getNamedType(type).name) {
    case 'Long':
      return orNull(type, longText(`(${sql} #>> '{}')::numeric`));
    case 'Json':
      throw new Unsupported('a value of the type Json');
    default:
      return orNull(type, `${sql}::text`);
  }
}

/** Where a field of an object is in its JSON: Pothos declares it for fields without a resolver. */
function memberOf({ extensions }: GraphQLField<unknown, unknown>): string | undefined {
  return (extensions as { pothosExposedField?: string }).pothosExposedField;
}

/** A whole number as the scalar Long writes it. */
function longText(sql: string): string {
  return `CASE WHEN ${sql} BETWEEN -${SAFE} AND ${SAFE} THEN (${sql})::text ELSE '"' || (${sql})::text || '"' END`;
}

function orNull(type: GraphQLOutputType, sql: string): string {
  return getNullableType(type) === type ? `coalesce(${sql}, 'null')` : sql;
}

function innermost(type: GraphQLOutputType): GraphQLOutputType {
  return getNamedType(type);
}
