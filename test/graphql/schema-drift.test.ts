import { readFileSync } from 'node:fs';
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isScalarType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { publicSchema } from '../../src/graphql/internal.js';
import { buildSchema } from '../../src/schema.js';

const schema = publicSchema(buildSchema());

describe('the published schema', () => {
  test('is what schema.graphql says (npm run schema writes it)', () => {
    const committed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
    expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toBe(committed);
  });

  test('describes every type, field, argument and enum value', () => {
    const bare: string[] = [];
    const look = (name: string, each: { description?: string | null }) => {
      if (!each.description) bare.push(name);
    };
    for (const type of Object.values(schema.getTypeMap()).filter((each) => !isIntrospectionType(each))) {
      look(type.name, type);
      if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
      if (isInputObjectType(type))
        for (const field of Object.values(type.getFields())) look(`${type.name}.${field.name}`, field);
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        look(`${type.name}.${field.name}`, field);
        for (const argument of field.args) look(`${type.name}.${field.name}(${argument.name})`, argument);
      }
    }
    expect(bare).toEqual([]);
  });

  test('lets every field of the query be null, so that one that fails leaves its neighbours', () => {
    const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
    expect(fields.length).toBeGreaterThan(10);
    expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
  });

  test('links a scalar that others have specified to its specification', () => {
    const links = Object.values(schema.getTypeMap()).flatMap((type) =>
      isScalarType(type) && type.specifiedByURL ? [[type.name, type.specifiedByURL]] : [],
    );
    expect(links).toEqual([['Json', 'https://www.rfc-editor.org/rfc/rfc8259']]);
  });

  test('shows no internal field', () => {
    expect(schema.getType('JsonText')).toBeUndefined();
    expect(printSchema(schema)).not.toMatch(/^ {2}json:/m);
  });
});
