import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { getNamedType, getNullableType, type GraphQLOutputType, type GraphQLSchema } from 'graphql';
import type { Builder } from './builder.js';

const INTERNAL_SCALAR = 'JsonText';

/** Whether clients see nothing of what has this type. */
export const isInternal = (type: GraphQLOutputType) => getNamedType(type).name === INTERNAL_SCALAR;

/**
 * Registers the leaf `json` on every connection: a page's rows as one text, which REST replies splice in
 * unparsed. A field of the scalar JsonText is internal wherever it stands.
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
 * The schema that clients see: without internal fields, so that no document can select one, and with fields of the query
 * that may be null, so that one that fails leaves its neighbours their answers. Documents of our own are refused as a
 * whole when anything in them fails (execution/trusted.ts), and their types know of no such null.
 */
export function publicSchema(schema: GraphQLSchema): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field) => (isInternal(field.type) ? null : field),
    [MapperKind.QUERY_ROOT_FIELD]: (field) => ({ ...field, type: getNullableType(field.type) }),
    [MapperKind.SCALAR_TYPE]: (scalar) => (scalar.name === INTERNAL_SCALAR ? null : scalar),
  });
}
