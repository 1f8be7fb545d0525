import type { FieldMap } from '@pothos/core';
import { sqlOf, type ValueSource } from './sql-source.js';
import { describe, type Detail, type Details, type Field } from '../fields/field.js';

/**
 * The fields of a table as Pothos takes them, each read from the row's JSON without a resolver of its own.
 *
 * @param json SQL of the jsonb whose members the fields without columns are
 */
export function exposeFields(t: { expose: unknown }, fields: Details, json?: string): FieldMap {
  // That a node has each field with its type, the table's own types say.
  const builder = t as { expose: (name: string, options: object) => FieldMap[string] };
  const shown = Object.entries(fields).flatMap(([name, field]) => {
    const { kind, absent, graphql = name } = field;
    if (graphql === false) return [];
    const options = {
      ...{ type: kind.type, nullable: absent !== undefined, description: describe(field, 'null') },
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
