import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { getNamedType, getNullableType, type GraphQLOutputType, type GraphQLSchema } from 'graphql';
import type { Builder } from './builder.js';

const INTERNAL_SCALAR = 'JsonText';

/** Whether fields of this type are hidden from clients. */
export const isInternal = (type: GraphQLOutputType) => getNamedType(type).name === INTERNAL_SCALAR;

/**
 * Registers the leaf `json` on every connection: a page's rows as one text, which REST replies copy unparsed.
 * Every field of the scalar JsonText is internal.
 */
export function registerInternalFields(builder: Builder): void {
  builder.globalConnectionField('json', (t) =>
    t.field({
      type: INTERNAL_SCALAR,
      description: 'The rows of this page as the text of a JSON array.',
      resolve: (connection) => connection.json,
    }),
  );
}

/**
 * The schema that clients see. It has no internal fields, so that no document can select one, and the fields
 * of the query are nullable, so that one that fails leaves the others their answers. Documents of ours fail
 * as a whole (execution/trusted.ts), and their types do not have that null.
 */
export function publicSchema(schema: GraphQLSchema): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field) => (isInternal(field.type) ? null : field),
    [MapperKind.QUERY_ROOT_FIELD]: (field) => ({ ...field, type: getNullableType(field.type) }),
    [MapperKind.SCALAR_TYPE]: (scalar) => (scalar.name === INTERNAL_SCALAR ? null : scalar),
  });
}
