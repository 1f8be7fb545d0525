/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 takes it. */
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

/** Hex with 0x, of any length or of so many bytes. */
export const hex = (description: string, bytes?: number): JsonSchema =>
  text(description, { pattern: bytes === undefined ? '^0x[0-9a-fA-F]*$' : `^0x[0-9a-fA-F]{${bytes * 2}}$` });

export const whole = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
export const integer = (description: string): JsonSchema => ({ type: 'integer', description });

export const list = (description: string, items: JsonSchema): JsonSchema => ({
  type: 'array',
  description,
  items,
});

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

/** A page of a list, with further members beside the rows. */
export const page = (field: string, row: JsonSchema, more: JsonSchemas = {}): JsonSchema =>
  object(
    'A page of the list.',
    { [field]: list('The rows of the page, in list order.', row), ...more },
    {
      nextPageToken: text(
        'Gives the next page when it is sent as pageToken, within 24 hours. Left out on the last page.',
        { format: 'uuid' },
      ),
    },
  );
