import { isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { keyInSql } from '../../src/execution/keys.js';
import type { FieldSource, TypeSource } from '../../src/graphql/sql-source.js';
import { buildSchema } from '../../src/schema.js';

/** Fields that are one row, of types whose rows SQL reads. */
const edges = Object.values(buildSchema().getTypeMap())
  .filter(isObjectType)
  .flatMap((type) => {
    const { keys } = (type.extensions as { sql?: TypeSource }).sql ?? {};
    return Object.values(type.getFields()).flatMap((field) => {
      const { row } = (field.extensions as { sql?: FieldSource }).sql ?? {};
      return keys && row?.of ? [{ name: `${type.name}.${field.name}`, of: row.of, keys }] : [];
    });
  });

test('one statement answers each field that is one row, except those whose key is not among the keys of its type', () => {
  expect(edges.length).toBeGreaterThan(20);
  const others = edges.filter(({ of, keys }) => {
    try {
      return !keyInSql(of, keys);
    } catch {
      return true;
    }
  });
  expect(others.map(({ name }) => name).sort()).toEqual([
    // The subnet of a chain is read by a network that is computed.
    'Chain.subnet',
    // Of these the ids are in the JSON of a transaction alone.
    'L1Validator.subnet',
    'L1Validator.validator',
  ]);
});
