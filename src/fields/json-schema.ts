/** A JSON Schema, as far as OpenAPI 3.0 supports it. */
export type JsonSchema = Readonly<Record<string, unknown>>;
export type JsonSchemas = Readonly<Record<string, JsonSchema>>;

/** A schema of `components`. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});

/** Text of one of a closed set of values. */
export const choice = (description: string, values: readonly string[]): JsonSchema =>
  text(description, { enum: values });

/** Without a format, generated clients take a whole number for one of 32 bits. */
export const int32: JsonSchema = { type: 'integer', format: 'int32' };
export const int64: JsonSchema = { type: 'integer', format: 'int64' };

export const whole = (description: string): JsonSchema => ({ ...int64, minimum: 0, description });

export const list = (description: string, items: JsonSchema): JsonSchema => ({
  type: 'array',
  description,
  items,
});

/** A schema whose value may be null as well. */
export const nullable = (schema: JsonSchema): JsonSchema => ({ ...schema, nullable: true });

/** An object with these members and no others; optional ones are left out where there is no value. */
export const object = (
  description: string,
  required: JsonSchemas,
  optional: JsonSchemas = {},
): JsonSchema => ({
  type: 'object',
  description,
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
});

/** An object of which unknown members are ignored. */
export function openObject(...parts: Parameters<typeof object>): JsonSchema {
  const schema = { ...object(...parts) };
  delete schema['additionalProperties'];
  return schema;
}
