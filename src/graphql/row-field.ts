import type { FieldRef } from '@pothos/core';
import type { Arguments, ArgumentValues } from '../arguments/argument.js';
import type { Find } from '../lists/find.js';
import { argumentRefs, argumentsOf } from './arguments.js';
import type { Builder, SchemaTypes } from './builder.js';
import type { Context } from './context.js';
import type { CostExtension } from './limits/cost-extension.js';
import { addField, type FieldBuilder, type Owner, type ParentOf } from './add-field.js';
import { loadRow } from './row-loader.js';
import { sqlOf, type Constant, type FindSource, type GivenSource } from './sql-source.js';

type Objects = SchemaTypes['Objects'];

/** How a node is loaded that is more than the row of a find. */
export interface Loader<Key, Node> extends Partial<GivenSource> {
  load: (context: Context, key: Key) => Promise<Node | null> | Node | null;
}

/**
 * How the row of a field is found by its key. With its source in SQL, one statement can answer the field;
 * without, it is resolved by itself.
 */
export type Finder<Key, Node> = (Find<Key, Node> & Partial<FindSource>) | Loader<Key, Node>;

/** A key with parts that may be missing; then there is no row. */
type PartsOf<Key> = { [Part in keyof Key]: Key[Part] | null | undefined };

/** A field that is one row, found by key. */
export interface RowField<Parent, Type extends keyof Objects, Key, Declared extends Arguments> {
  type: Type;
  description: string;
  /** Whether there is always a row. */
  isAlways?: true;
  find: Finder<Key, Objects[Type]>;
  /**
   * The key, of members of the parent: of the node, and in SQL of the keys of its type, under the same names.
   * A part that is computed keeps the field from being answered in SQL; `constant` marks one that is always
   * the same.
   */
  of?: (parent: Parent, constant: Constant) => NoInfer<PartsOf<Key>>;
  /** A member of the parent without which there is no row. */
  needs?: keyof Parent & string;
  /** Arguments that are the key, if the parent does not have it. */
  arguments?: Declared;
  /** Makes the key of them, if they are not the key already. */
  keyOf?: (values: ArgumentValues<Declared>) => NoInfer<Key>;
  /** How often the fields that are selected of the row count towards the cost. */
  times?: number;
}

const asIs: Constant = (value) => value;

/** Adds the field to an object type, or to the query. */
export const addRowField = <
  Of extends Owner,
  Type extends keyof Objects,
  Key extends object,
  Declared extends Arguments = Record<never, never>,
>(
  builder: Builder,
  owner: Of,
  name: string,
  field: RowField<ParentOf<Of>, Type, Key, Declared>,
): void => addField(builder, owner, name, (t) => rowField(t, field));

/** Makes the field: null where the row is not stored. */
export function rowField<
  Parent,
  Type extends keyof Objects,
  Key extends object,
  Declared extends Arguments = Record<never, never>,
>(t: FieldBuilder<Parent>, field: RowField<Parent, Type, Key, Declared>): FieldRef<never> {
  const { find, of, needs, arguments: declared, keyOf, times } = field;
  const options = {
    type: field.type,
    nullable: !field.isAlways,
    description: field.description,
    extensions: {
      ...(isInSql(find) && sqlOf({ row: { find, arguments: declared, keyOf, of, needs } })),
      ...(times !== undefined && ({ times } satisfies CostExtension)),
    },
    args: declared && argumentRefs(t, declared),
    resolve: (parent: Parent, args: object, context: Context) => {
      if (needs !== undefined && !parent[needs]) return null;
      const key = of ? of(parent, asIs) : keyOfArguments(args, context);
      if (Object.values(key).some((part) => part === null || part === undefined)) return null;
      return loadNode(context, find, key as Key);
    },
  };
  const keyOfArguments = (args: object, context: Context): object => {
    const values = argumentsOf(declared ?? ({} as Declared), args, context);
    return keyOf ? keyOf(values) : values;
  };
  return t.field(options as never) as unknown as FieldRef<never>;
}

/** The node that has the key; null if it is not stored. */
export function loadNode<Key, Node>(
  context: Context,
  find: Finder<Key, Node>,
  key: Key,
): Promise<Node | null> | Node | null {
  return typeof find === 'function' ? loadRow(context, find, key) : find.load(context, key);
}

const isInSql = (find: object): find is FindSource | GivenSource => 'key' in find || 'types' in find;
