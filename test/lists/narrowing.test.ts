import { isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import type { FieldSource } from '../../src/graphql/sql-source.js';
import { buildSchema } from '../../src/schema.js';

/** The arguments of every field that is a declared list, by `Type.field.argument`. */
const declared = Object.values(buildSchema().getTypeMap())
  .filter(isObjectType)
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
  .flatMap(({ type, field }) => {
    const { sql } = field.extensions as { sql?: FieldSource };
    return Object.entries(sql?.list?.arguments ?? {}).map(([name, argument]) => ({
      name: `${type.name}.${field.name}.${name}`,
      ...argument,
    }));
  });

test('what shows less of a list is declared as narrowing it, so that each list over it has to say what it makes of it', () => {
  const narrowing = declared.filter(({ description }) => /^(Only|Whether) /.test(description));
  expect(narrowing.length).toBeGreaterThan(30);
  expect(narrowing.filter(({ narrows }) => !narrows).map(({ name }) => name)).toEqual([]);
});
