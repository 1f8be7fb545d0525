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
  'Position of the row in this list: a UUID, which is also a page token of the REST API. Valid for 24 hours, and only for this list with the same filters.';
const GLOBAL_ID =
  'Id of the object, unique among all objects of this gateway, for the fields node and nodes. Every gateway with the same data uses the same id.';
// See lists/sift.ts.
const STOPS =
  'In a list with asOf, a page may end before it is full: endCursor (with first) or startCursor (with last) then belongs to the last examined row.';
const FIRST = 'Number of rows from the beginning, 0 to 100. Default 10 if last is omitted too.';

/**
 * What resolvers of each object type receive. The files that register types declare theirs here, by
 * augmentation of this module, so that the builder knows no resource.
 */
export interface ObjectTypes {
  ServiceConfig: object;
}

/**
 * Leaf types by name, declared in the same way: scalars, and enums too, because Pothos has nothing else for
 * an enum's name.
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

/** The connection of each object type, for those types that have one: see connection-type.ts. */
type ConnectionTypes = { [Name in keyof ObjectTypes as `${Name}Connection`]: ConnectionSource };

export interface SchemaTypes {
  Context: Context;
  DefaultFieldNullability: false;
  DefaultNodeNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  Objects: ObjectTypes & ConnectionTypes;
  // Mapped, because Pothos requires an index signature, which an interface does not have.
  Scalars: { [Name in keyof LeafTypes]: LeafTypes[Name] };
  Connection: ConnectionSource;
}

/** A leaf type whose values are the same in arguments and replies. */
export interface Leaf<T> {
  Input: T;
  Output: T;
}

export type Builder = ReturnType<typeof createBuilder>;

/** A new builder: it makes one schema, and two builders share nothing. */
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
      pageInfoFieldOptions: { description: 'Position of the page in the list.' },
      hasNextPageFieldOptions: { description: 'Whether rows follow this page.' },
      hasPreviousPageFieldOptions: { description: 'Whether rows precede this page.' },
      startCursorFieldOptions: { description: `Cursor of the first row; null on an empty page. ${STOPS}` },
      endCursorFieldOptions: { description: `Cursor of the last row; null on an empty page. ${STOPS}` },
      firstArgOptions: { description: FIRST },
      afterArgOptions: {
        description: 'Rows after this cursor. If omitted or empty, from the beginning of the list.',
      },
      lastArgOptions: {
        description: 'Number of rows from the end, 0 to 100; cannot be combined with first.',
      },
      beforeArgOptions: {
        description: 'Rows before this cursor. If omitted or empty, to the end of the list.',
      },
      nodesOnConnection: { description: 'The rows of this page, without their cursors.' },
      nodeQueryOptions: {
        description: 'Any object by its global id; null when it is not indexed.',
        args: { id: { description: 'Global id, as the field id of any object gives it.' } },
        resolve: (_root, { id }, _context, { schema }, resolveNode) => {
          refuseWrongIds('id', [id], schema);
          return resolveNode(id);
        },
      },
      nodesQueryOptions: {
        description: `Objects by their global ids, in the order of the ids; at most ${MAX_NODES}. Null in place of an object that is not indexed.`,
        args: { ids: { description: `Global ids, at most ${MAX_NODES}.` } },
        resolve: (_root, { ids }, _context, { schema }, resolveNodes) => {
          if (ids.length > MAX_NODES) throw badInput(`ids: ${ids.length} are too many; at most ${MAX_NODES}`);
          refuseWrongIds('ids', ids, schema);
          return resolveNodes(ids);
        },
      },
      nodeTypeOptions: { description: 'An object with a global id.' },
      pageInfoTypeOptions: { description: 'Position of a page in its list.' },
    },
  });
  builder.queryType({
    description:
      'Reads all data of this gateway. If one of its fields fails, that field is null, with its error in errors, and the other fields are still answered. extensions.cost of a result says what the operation costs: asked (the cost that maxCost limits; null for a document whose cost could not be computed), charged (requests deducted from the caller\'s plan) and remaining (requests that the plan still allows; null without limits). With the request extensions {"cost": {"dryRun": true}} the operation is not run and only its cost is returned: data is null, and 1 request is charged.',
  });
  builder.subscriptionType({
    description:
      'Streams of what commits write first, and of outputs that they spend, in the order of the commits. Send the operation with the header accept: text/event-stream, as graphql-sse does in its mode of distinct connections. Each event has a cursor, with which a stream goes on after a break.',
  });
  builder.mutationType({ description: 'Requests that change something.' });
  return builder;
}
