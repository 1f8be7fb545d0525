import type { FieldRef } from '@pothos/core';
import type { Builder, SchemaTypes } from './builder.js';

/** Builds the fields of an object whose resolvers receive `Parent`. */
export type FieldBuilder<Parent> = PothosSchemaTypes.RootFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  Parent
>;

/** An object type, or the query, and what its resolvers receive. */
export type Owner = keyof SchemaTypes['Objects'] | 'Query';
export type ParentOf<Of extends Owner> = Of extends keyof SchemaTypes['Objects']
  ? SchemaTypes['Objects'][Of]
  : object;

/** Adds a field to an object type, or to the query. */
export function addField<Of extends Owner>(
  builder: Builder,
  owner: Of,
  name: string,
  make: (t: FieldBuilder<ParentOf<Of>>) => FieldRef<never>,
): void {
  const fields = (t: unknown) => make(t as FieldBuilder<ParentOf<Of>>) as never;
  if (owner === 'Query') builder.queryField(name, fields);
  else builder.objectField(owner as 'Subnet', name, fields);
}
