import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import { badInput } from '../errors.js';
import type { ListOrder } from '../paging/keyset.js';
import type { ConnectionSource } from './connection.js';
import type { Context } from './context.js';
import type { NetworkName } from './enums.js';
import { decodeGlobalID, encodeGlobalID, refuseWrongIds } from './global-id.js';

/** Most ids in one `nodes` field. */
export const MAX_NODES = 100;
const CURSOR =
  'Place of the row in this list: a UUID, the same as the page tokens of the REST API, valid for 24 hours and for this list with these filters alone.';
const GLOBAL_ID =
  'Id of the object among all objects of this gateway, for the fields node and nodes; the same wherever the same data was imported.';
// See lists/sift.ts.
const STOPS =
  'In reading direction, of a list whose pages may end before they are full (asOf): of the last row looked at.';
const FIRST = 'Number of rows from the beginning, 0 to 100. Default 10 when last is not given either.';

/**
 * What resolvers of each object type receive. The files that register types declare theirs here, by augmentation of
 * this module, so that the builder knows no resource.
 */
export interface ObjectTypes {
  ServiceConfig: object;
}

/**
 * Leaf types by name, declared likewise: scalars, and enums too, as Pothos has no other place for an enum's name.
 */
export interface LeafTypes {
  Network: Leaf<NetworkName>;
  SortOrder: Leaf<ListOrder>;
  ID: Leaf<string>;
  BigNumber: Leaf<string>;
  Long: { Input: number | string; Output: number | string | bigint };
  Decimal: Leaf<string>;
  Json: { Input: never; Output: unknown };
  JsonText: { Input: never; Output: string };
}

export interface SchemaTypes {
  Context: Context;
  DefaultFieldNullability: false;
  DefaultNodeNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  Objects: ObjectTypes;
  // Mapped, because Pothos wants an index signature, which an interface does not have.
  Scalars: { [Name in keyof LeafTypes]: LeafTypes[Name] };
  Connection: ConnectionSource;
}

/** A leaf type whose values are the same in arguments and replies. */
export interface Leaf<T> {
  Input: T;
  Output: T;
}

export type Builder = ReturnType<typeof createBuilder>;

/** A fresh builder: a schema is made from it once, and nothing is shared between two of them. */
export function createBuilder() {
  const builder = new SchemaBuilder<SchemaTypes>({
    plugins: [RelayPlugin],
    defaultFieldNullability: false,
    relay: {
      clientMutationId: 'omit',
      cursorType: 'String',
      encodeGlobalID: (typename, id) => encodeGlobalID(typename, String(id)),
      decodeGlobalID,
      idFieldOptions: { description: GLOBAL_ID },
      edgesFieldOptions: {
        nullable: { list: false, items: false },
        description: 'The rows of this page, in list order.',
      },
      nodeFieldOptions: { nullable: false, description: 'The row.' },
      cursorFieldOptions: { description: CURSOR },
      pageInfoFieldOptions: { description: 'Where the page stands in the list.' },
      hasNextPageFieldOptions: { description: 'Whether rows follow this page.' },
      hasPreviousPageFieldOptions: { description: 'Whether rows stand before this page.' },
      startCursorFieldOptions: { description: `Cursor of the first row; null on an empty page. ${STOPS}` },
      endCursorFieldOptions: { description: `Cursor of the last row; null on an empty page. ${STOPS}` },
      firstArgOptions: { description: FIRST },
      afterArgOptions: { description: 'Rows after this cursor. Not given or empty: from the beginning.' },
      lastArgOptions: { description: 'Number of rows from the end, 0 to 100; not together with first.' },
      beforeArgOptions: { description: 'Rows before this cursor. Not given or empty: to the end.' },
      nodesOnConnection: { description: 'The rows of this page, without their cursors.' },
      nodeQueryOptions: {
        description: 'Any object by its global id; null when it is not held.',
        args: { id: { description: 'Global id, as the field id of any object gives it.' } },
        resolve: (_root, { id }, _context, { schema }, resolveNode) => {
          refuseWrongIds('id', [id], schema);
          return resolveNode(id);
        },
      },
      nodesQueryOptions: {
        description: `Objects by their global ids, in the order of the ids; at most ${MAX_NODES}. Null in place of one that is not held.`,
        args: { ids: { description: `Global ids, at most ${MAX_NODES}.` } },
        resolve: (_root, { ids }, _context, { schema }, resolveNodes) => {
          if (ids.length > MAX_NODES) throw badInput(`ids: ${ids.length} are too many; at most ${MAX_NODES}`);
          refuseWrongIds('ids', ids, schema);
          return resolveNodes(ids);
        },
      },
      nodeTypeOptions: { description: 'An object with a global id.' },
      pageInfoTypeOptions: { description: 'Where a page stands in its list.' },
    },
  });
  builder.queryType({
    description:
      'Reads of everything that this gateway holds. A field of it that fails is null, with its error in errors, and the fields beside it are answered. extensions.cost of a result tells what the operation costs: asked (as in maxCost; null for a document that could not be weighed), charged (requests taken off the plan of the caller) and remaining (requests that the plan still allows; null without limits). A request with the extensions {"cost": {"dryRun": true}} is told that without being run: its data is null, and it is charged 1.',
  });
  builder.mutationType({ description: 'Requests that have something done.' });
  return builder;
}
