import type { FieldMap } from '@pothos/core';
import type { Arguments } from '../arguments/argument.js';
import type { Network } from '../avalanche/networks.js';
import type { Field, Fields } from '../fields/field.js';
import type { Find } from '../lists/find.js';
import type { List } from '../lists/read.js';
import type { Builder, SchemaTypes } from './builder.js';
import { registerConnection } from './connection-type.js';
import { exposeFields } from './fields.js';
import { splitNetworkKey } from './global-id.js';
import type { FieldBuilder } from './add-field.js';
import { addListField } from './list-field.js';
import { addRowField } from './row-field.js';
import { loadRow } from './row-loader.js';
import { sqlOf, sqlOfType } from './sql-source.js';

type Objects = SchemaTypes['Objects'];
/** The object types that belong to a network. */
type OfNetwork = {
  [Type in keyof Objects]: Objects[Type] extends { network: Network } ? Type : never;
}[keyof Objects];

/** A type of nodes with an id that no two nodes of one network share. */
export interface NodeType<Type extends OfNetwork, Id extends string> {
  type: Type;
  description: string;
  /** For the descriptions of its connection; without, it has none. */
  plural?: string;
  /** The field that is its id within the network. */
  id: Id;
  /** The form of that id, if its find takes no other. */
  idForm?: RegExp;
  /** SQL of the keys that its lists and rows need: see TypeSource. */
  keys: { network: string } & Readonly<Record<string, string>>;
  fields: Fields & Readonly<Record<Id, Field>>;
  /** Fields in addition to these, the network and the global id. */
  moreFields?: (t: FieldBuilder<Objects[Type]> & { expose: unknown }) => FieldMap;
  find: Find<{ network: Network } & Record<Id, string>, Objects[Type]>;
  /** The field of the query that finds one. */
  query?: {
    name: string;
    description: string;
    arguments: Readonly<Record<'network' | Id, Arguments[string]>>;
  };
  /** The field of the query that lists them. */
  list?: { name: string; description: string; arguments: Arguments; list: List<never, Objects[Type]> };
}

/** Registers the type, its global id, its connection, and its fields of the query. */
export function registerNode<Type extends OfNetwork, Id extends string>(
  builder: Builder,
  node: NodeType<Type, Id>,
): void {
  registerType(builder, node);
  // Which type it is makes no difference below.
  const { type, plural, find, query, list } = node as unknown as NodeType<'Subnet', 'subnetId'>;
  if (plural !== undefined) registerConnection(builder, type, plural);
  if (query) {
    const { name, ...declared } = query;
    addRowField(builder, 'Query', name, { type, find, ...declared });
  }
  if (list) {
    const { name, ...declared } = list;
    addListField(builder, 'Query', name, { type: `${type}Connection`, ...declared, list: declared.list });
  }
}

function registerType<Type extends OfNetwork, Id extends string>(
  builder: Builder,
  node: NodeType<Type, Id>,
): void {
  const { type, description, id, idForm, keys, fields, moreFields, find } = node as unknown as NodeType<
    'Subnet',
    'subnetId'
  >;
  builder.node(type, {
    description,
    extensions: sqlOfType({ keys, id: `${keys.network}::text || ':' || ${fields[id].sql}` }),
    id: {
      description: `Global id, made of the network and the ${id}.`,
      resolve: (object) => `${object.network}:${object[id]}`,
    },
    loadOne: (globalId: string, context) => {
      const parts = splitNetworkKey(globalId);
      if (!parts || (idForm && !idForm.test(parts.key))) return null;
      return loadRow(context, find, { network: parts.network, [id]: parts.key });
    },
    fields: (t) => ({
      network: t.expose('network', {
        type: 'Network',
        description: 'Its network.',
        extensions: sqlOf({ value: { form: 'plain', sql: keys.network } }),
      }),
      ...exposeFields(t, fields),
      ...moreFields?.(t),
    }),
  });
}
