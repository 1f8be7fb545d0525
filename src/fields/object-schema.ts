import type { Detail, Details } from './field.js';
import type { JsonSchema, JsonSchemas } from './json-schema.js';

/** A field's description for GraphQL or REST. @param without what that API does without a value */
export function describe(
  { description, absent }: Pick<Detail, 'description' | 'absent'>,
  without: string,
): string {
  if (!absent) return description.endsWith('…') ? description : `${description}.`;
  return `${description}${description.includes(';') ? ',' : ';'} ${without} ${absent}.`;
}

/** JSON Schema of an object with these fields and no others. */
export function objectSchema(description: string, fields: Details, more: JsonSchemas = {}): JsonSchema {
  const entries = Object.entries(fields);
  const isRequired = ({ absent, unknown }: Detail) => absent === undefined || unknown !== undefined;
  const required = entries.filter(([, field]) => isRequired(field)).map(([name]) => name);
  return {
    type: 'object',
    description,
    required: [...required, ...Object.keys(more)],
    properties: {
      ...Object.fromEntries(entries.map(([name, field]) => [name, memberSchema(field)])),
      ...more,
    },
    additionalProperties: false,
  };
}

/** JSON Schemas of objects, by name. */
export function objectSchemas(
  objects: Readonly<Record<string, { description: string; fields: Details }>>,
): JsonSchemas {
  return Object.fromEntries(
    Object.entries(objects).map(([name, { description, fields }]) => [
      name,
      objectSchema(description, fields),
    ]),
  );
}

function memberSchema(field: Detail): JsonSchema {
  const { kind, unknown } = field;
  if ('$ref' in kind.schema) return kind.schema;
  const printed = unknown === '' ? 'empty' : kind.form === 'plain' ? `"${unknown}"` : String(unknown);
  const description = describe(field, unknown === undefined ? 'left out' : printed);
  // What is printed if there is no value is a value too.
  const { pattern } = kind.schema;
  const orEmpty = unknown === '' && typeof pattern === 'string' && { pattern: `^$|${pattern}` };
  return { ...kind.schema, ...orEmpty, description };
}
