import {
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import type { ValueSource } from '../graphql/sql-source.js';
import type { JsonField } from '../storage/json-text.js';
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
  if (members) return objectText(type, members, inner);
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

/** Of an object that is never null, whose members are read alone. */
function objectText(type: GraphQLOutputType, members: readonly JsonField[], inner: Inner): string {
  const shown = getNullableType(type) as GraphQLObjectType;
  const texts = inner(shown).map(({ key, name, inner: within }): [string, string[]] => {
    if (name === '__typename') return [key, [`'"${shown.name}"'`]];
    const field = shown.getFields()[name];
    const source = field && memberOf(field);
    const member = source && members.find((each) => each.name === source.member);
    if (!field || !member) throw new Unsupported(`${shown.name}.${name}`);
    return [key, [valueText(field.type, member, within)]];
  });
  return concat(object(texts));
}

/** Of a value in a jsonb. */
function jsonText(type: GraphQLOutputType, sql: string, inner: Inner): string {
  const shown = getNullableType(type);
  if (isListType(shown)) {
    const { ofType } = shown as { ofType: GraphQLOutputType };
    if (isLeafType(getNullableType(ofType)) && getNamedType(ofType).name === 'String')
      return orNull(type, `${sql}::text`);
    return `CASE WHEN jsonb_typeof(${sql}) = 'array' THEN concat('[', (
      SELECT string_agg(${jsonText(ofType, 'item.value', inner)}, ',' ORDER BY item.place)
      FROM jsonb_array_elements(${sql}) WITH ORDINALITY AS item(value, place)), ']') ELSE 'null' END`;
  }
  if (isObjectType(shown)) {
    const members = inner(shown).map(({ key, name, inner: within }) => {
      if (name === '__typename') return `'"${key}":"${shown.name}"'`;
      const field = shown.getFields()[name];
      const source = field && memberOf(field);
      if (!field || !source) throw new Unsupported(`${shown.name}.${name}`);
      return `concat('"${key}":', ${valueText(field.type, source, within, sql)})`;
    });
    const object = members.length > 0 ? `concat('{', concat_ws(',', ${members.join(', ')}), '}')` : `'{}'`;
    return `CASE WHEN jsonb_typeof(${sql}) = 'object' THEN ${object} ELSE 'null' END`;
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

/** Where a field of an object in a jsonb is found: Pothos says so of what it reads without a resolver. */
function memberOf({ extensions }: GraphQLField<unknown, unknown>): { member: string } | undefined {
  const { pothosExposedField: member } = extensions as { pothosExposedField?: string };
  return member === undefined ? undefined : { member };
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
