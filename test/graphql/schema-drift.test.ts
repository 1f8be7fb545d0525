import { readFileSync } from 'node:fs';
import {
  buildSchema as fromText,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
  validateSchema,
} from 'graphql';
import * as olderGraphQL from 'graphql15';
import { describe, expect, test } from 'vitest';
import { schemaText } from '../../src/graphql/schema-text.js';
import { publicSchema } from '../../src/graphql/internal.js';
import { buildSchema } from '../../src/schema.js';

const schema = lexicographicSortSchema(publicSchema(buildSchema()));

describe('the published schema', () => {
  test('is what schema.graphql says (npm run schema writes it)', () => {
    const committed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
    expect(schemaText(publicSchema(buildSchema()))).toBe(committed);
  });

  test('loads in tools that do not know @oneOf', () => {
    const text = schemaText(publicSchema(buildSchema()));
    const older = olderGraphQL.buildSchema(text);
    expect(olderGraphQL.validateSchema(older)).toEqual([]);
    expect(Object.keys(older.getTypeMap()).sort()).toEqual(
      expect.arrayContaining(Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('__'))),
    );
    const present = fromText(text);
    expect(validateSchema(present)).toEqual([]);
    expect(present.getType('AsOf')).toMatchObject({ isOneOf: true });
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

  test.each([
    ['query', schema.getQueryType(), 10],
    ['mutation', schema.getMutationType(), 0],
  ] as const)(
    'lets every field of the %s be null, so that one that fails leaves its neighbours',
    (_root, type, more) => {
      const fields = Object.values(type?.getFields() ?? {});
      expect(fields.length).toBeGreaterThan(more);
      expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
    },
  );

  test('links each scalar that GraphQL does not define to what specifies its form', () => {
    const own = Object.values(schema.getTypeMap()).filter(
      (type) => isScalarType(type) && !isSpecifiedScalarType(type),
    );
    expect(own.map((type) => [type.name, isScalarType(type) && type.specifiedByURL])).toEqual([
      ['BigNumber', 'https://www.w3.org/TR/xmlschema11-2/#nonNegativeInteger'],
      ['Decimal', 'https://www.rfc-editor.org/rfc/rfc8259#section-6'],
      ['Json', 'https://www.rfc-editor.org/rfc/rfc8259'],
      ['Long', 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2'],
    ]);
  });

  test('deprecates what is replaced, each with what to take instead', () => {
    const deprecated = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields()).flatMap((field) =>
            [field, ...field.args].flatMap(({ name, deprecationReason }) =>
              deprecationReason ? [`${type.name}.${field.name} ${name}: ${deprecationReason}`] : [],
            ),
          )
        : [],
    );
    const types = ['Address.rewardTransactions', 'Address.transactions', 'Query.transactions'].concat([
      'Subnet.transactions',
      'Validator.transactions',
    ]);
    expect(deprecated.sort()).toEqual(
      [
        ...types.map((field) => `${field} txType: Use txTypes, which takes one type as well as several.`),
        ...['Address.balances', 'Address.utxos', 'Query.utxos'].map(
          (field) => `${field} at: Use locksAt, which says what it is about.`,
        ),
      ].sort(),
    );
  });

  test('shows no internal field', () => {
    expect(schema.getType('JsonText')).toBeUndefined();
    expect(printSchema(schema)).not.toMatch(/^ {2}json:/m);
  });
});
