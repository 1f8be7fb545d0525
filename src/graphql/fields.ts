import type { FieldMap } from '@pothos/core';
import { sqlOf, type ValueSource } from './sql-source.js';
import { type Detail, type Details, type Field } from '../fields/field.js';
import { describe } from '../fields/object-schema.js';

/**
 * The fields of a table as Pothos takes them, each read from the row's JSON without its own resolver.
 *
 * @param json SQL of the jsonb that has the fields without columns
 */
export function exposeFields(t: { expose: unknown }, fields: Details, json?: string): FieldMap {
  // The table's own types say that a node has each field with its type.
  const builder = t as { expose: (name: string, options: object) => FieldMap[string] };
  const shown = Object.entries(fields).flatMap(([name, field]) => {
    const { kind, absent, graphql = name } = field;
    if (graphql === false) return [];
    const options = {
      type: kind.type,
      nullable: absent !== undefined,
      description: describe(field, 'null'),
      extensions: sqlOf({ value: valueOf(name, field, json) }),
    };
    return [[graphql, builder.expose(name, options)] as const];
  });
  return Object.fromEntries(shown);
}

function valueOf(
  member: string,
  field: Detail & Partial<Pick<Field, 'sql' | 'shown' | 'members'>>,
  of?: string,
): ValueSource {
  const { kind, sql, shown = sql, members } = field;
  return shown === undefined ? { member, of } : { form: kind.form, sql: shown, members };
}
