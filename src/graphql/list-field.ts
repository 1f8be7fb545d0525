import { createContextCache, type FieldRef } from '@pothos/core';
import { matchNothing, readArgument, type Argument, type Arguments } from '../arguments/argument.js';
import { checkBoth } from '../errors.js';
import { sqlOf } from './sql-source.js';
import type { ListedRow } from '../lists/list.js';
import type { List, ListPage } from '../lists/read.js';
import type { PageArguments } from '../paging/page-request.js';
import { digestQuery, printValue, type QueryDigest } from '../paging/token.js';
import { argumentRefs, argumentsOf, pageRefs, pageRequest, type Pages } from './arguments.js';
import type { Builder, SchemaTypes } from './builder.js';
import { addField, type FieldBuilder, type Owner, type ParentOf } from './add-field.js';
import { readConnection } from './connection.js';
import type { Context } from './context.js';
import { countList, notCounted } from './counting.js';
import { longPages, type CostExtension } from './limits/cost-extension.js';
import { countLoader, pageLoader } from './page-loader.js';
import { atPresent, presentOf } from './present.js';

/** A field that is a declared list. */
export interface ListField<Parent, Query, Node> {
  type: keyof SchemaTypes['Objects'] & `${string}Connection`;
  description: string;
  list: List<Query, Node>;
  /** The arguments of the list: those that `of` does not know are arguments of the field. */
  arguments?: Arguments;
  /**
   * Values of the query, by name, that the parent has. With any, the list belongs to its parent: pages of
   * several parents are read together.
   */
  of?: Readonly<Record<string, (parent: Parent) => unknown>>;
  /**
   * The key of the parent, if `of` has its row id: page tokens belong to the key, which is known before
   * the row is read.
   */
  key?: (parent: Parent) => object;
  /** Makes the query from the values, if they are not the query already. */
  toQuery?: (values: never, context: Context) => Promise<Query>;
  /** The argument, a time, that defaults to the present. Page tokens do not contain that default. */
  present?: string;
  pages?: Pages;
  /** How many parents there are of a list of them that counts once: see CostExtension. */
  times?: number;
  /** Whether the parent's list is known to be empty. */
  isEmpty?: (parent: Parent) => boolean;
}

/** Adds the field to an object type, or to the query. */
export const addListField = <Of extends Owner, Query extends object, Node>(
  builder: Builder,
  owner: Of,
  name: string,
  field: ListField<ParentOf<Of>, Query, Node>,
): void => addField(builder, owner, name, (t) => listField(t, field));

/** Makes the field: a Relay connection over the list. */
export function listField<Parent, Query extends object, Node>(
  t: FieldBuilder<Parent>,
  field: ListField<Parent, Query, Node>,
): FieldRef<never> {
  const { list, key, toQuery, present, times, isEmpty } = field;
  const { arguments: declared = {}, of = {}, pages: sizes } = field;
  const ownArguments: Arguments = without(declared, of);
  const known = Object.entries(of);
  const pages = pagesOf(list);
  const counts = countsOf(list);
  const digest = digestsOf(list.name, declared);
  const read = async (parent: Parent, args: PageArguments, context: Context) => {
    const own = Object.fromEntries(known.map(([name, valueOf]) => [name, valueOf(parent)]));
    const [values, request] = checkBoth(
      () => argumentsOf(declared, args, context, own),
      () => pageRequest(args, context, sizes?.limits),
    );
    const given = Object.assign({}, own, values);
    // No await without need: pages of several parents are collected within one turn of the event loop.
    const made = toQuery ? await toQuery(given as never, context) : (given as Query);
    const query = atPresent(made, present, () => presentOf(context).moment);
    const { storage, tokens } = context;
    const isForNothing = matchNothing(values);
    const nothing = isForNothing || (isEmpty?.(parent) ?? false);
    return readConnection({
      storage,
      tokens,
      // An empty list has no tokens: any token that is given belongs to another list.
      query: () =>
        isForNothing
          ? digestQuery('nothing', {})
          : digest(key ? Object.assign({}, without(made, of), key(parent)) : made),
      listQuery: query,
      request,
      read: (request) => {
        if (nothing) return Promise.resolve([]);
        return known.length > 0
          ? pages(context).load({ query, request })
          : list.read(storage, query, request);
      },
      exists: (position) => list.exists(storage, query, position),
      carried: (position) => list.carried(storage, query, position),
      count: () => {
        if (!list.isCounted(query)) return Promise.reject(notCounted());
        if (nothing) return Promise.resolve({ count: 0, isExact: true });
        if (known.length > 0) return counts(context)(query);
        return countList(context, (most) => list.count(storage, query, most));
      },
      toNode: (row) => list.toNode(row),
    });
  };
  const ref = t.field({
    // Every connection type has the same shape.
    type: field.type as 'UtxoConnection',
    description: field.description,
    extensions: {
      ...sqlOf({
        list: {
          list,
          read,
          arguments: declared,
          of,
          key,
          digest,
          limits: sizes?.limits,
          isMade: !!toQuery,
          present,
        },
      }),
      ...(sizes && longPages(sizes.limits)),
      ...(times && ({ times } satisfies CostExtension)),
    },
    args: { ...argumentRefs(t, ownArguments), ...pageRefs(t, sizes) },
    resolve: read,
  });
  return ref as unknown as FieldRef<never>;
}

/** What page tokens of a list belong to: its name and all of its values that are not the default. */
function digestsOf(name: string, declared: Arguments): (query: object) => QueryDigest {
  const defaults = new Map(
    Object.entries(declared).map(([each, argument]) => [each, printValue(defaultOf(each, argument))]),
  );
  return (query) => {
    const others: Record<string, unknown> = {};
    for (const [each, value] of Object.entries(query)) {
      // digestQuery leaves these out anyway, and printing takes time.
      if (value === null || value === undefined) continue;
      const known = defaults.get(each);
      if (known === undefined || known !== printValue(value)) others[each] = value;
    }
    return digestQuery(name, others);
  };
}

/** The value of an argument that is omitted; undefined if it is required. */
function defaultOf(name: string, argument: Argument<unknown>): unknown {
  if (argument.default === undefined && !argument.optional) return undefined;
  try {
    return readArgument(argument, name, undefined);
  } catch {
    // One that is required together with others.
    return undefined;
  }
}

function pagesOf<Query>(list: List<Query, unknown>) {
  return createContextCache(({ storage }: Context) =>
    pageLoader<ListPage<Query>, ListedRow>(
      ({ query }) => list.kindOf(query),
      (pages) => list.readBatch(storage, pages),
    ),
  );
}

function countsOf<Query>(list: List<Query, unknown>) {
  return createContextCache((context: Context) =>
    countLoader<Query>(
      context,
      (query) => `${list.kindOf(query)} ${list.parentOf(query)}`,
      (query) => list.kindOf(query),
      (queries, most) => list.countBatch(context.storage, queries, most),
    ),
  );
}

/** The entries of an object, without those of some names. */
function without<Value>(
  all: { readonly [name: string]: Value } | object,
  names: object,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries<Value>(all as Record<string, Value>).filter(([name]) => !(name in names)),
  );
}
