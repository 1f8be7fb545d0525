import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import type { Context } from './context.js';

/** Makes mutations write to the primary, and read their changes there. Changes the schema. */
export function mutateOnPrimary(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (source, args, context: Context, info) => {
      context.storage.toPrimary();
      return resolve(source, args, context, info);
    };
  }
}
