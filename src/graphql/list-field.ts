import { createContextCache, type FieldRef } from '@pothos/core';
import { askForNothing, type Arguments } from '../arguments/argument.js';
import { checkBoth } from '../errors.js';
import { sqlOf } from './sql-source.js';
import type { List, ListPage } from '../lists/read.js';
import type { PageArguments } from '../paging/page-request.js';
import { digestQuery } from '../paging/token.js';
import { argumentRefs, argumentsOf, pageRefs, pageRequest, type Pages } from './arguments.js';
import type { SchemaTypes } from './builder.js';
import { readConnection, type ListedRow } from './connection.js';
import type { Context } from './context.js';
import { countList, notCounted } from './counting.js';
import { longPages } from './limits/cost-extension.js';
import { countLoader, pageLoader } from './page-loader.js';
import { atPresent, presentOf } from './present.js';

/** Builds the fields of an object whose resolvers receive `Parent`. */
export type FieldBuilder<Parent> = PothosSchemaTypes.RootFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  Parent
>;

/** A field that is a declared list. */
export interface ListField<Parent, Query, Row, Node> {
  type: keyof SchemaTypes['Objects'] & `${string}Connection`;
  description: string;
  list: List<Query, Row>;
  /** What the list is asked for by: what `of` does not know is an argument of the field. */
  arguments?: Arguments;
  /**
   * Values of the query, by name, as the parent knows them. A field that has any hangs on its parent: pages of several
   * parents are read together.
   */
  of?: Readonly<Record<string, (parent: Parent) => unknown>>;
  /** Makes a query of the values, where they are not one as they stand. */
  toQuery?: (values: never, context: Context) => Promise<Query>;
  /** The argument, a moment, in whose place the present stands where it is left out. Page tokens do not tell that moment. */
  present?: string;
  pages?: Pages;
  /** What page tokens belong to; else the list's name and all that its arguments mean, in the order declared. */
  tokensOf?: (parent: Parent, query: Query) => readonly [name: string, ...unknown[]];
  /** Whether the parent's list is known to have nothing. */
  isEmpty?: (parent: Parent) => boolean;
  toNode: (row: Row) => Node;
}

/** Makes the field: a Relay connection over the list. */
export function listField<Parent, Query extends object, Row extends ListedRow, Node>(
  t: FieldBuilder<Parent>,
  field: ListField<Parent, Query, Row, Node>,
): FieldRef<never> {
  const {
    list,
    arguments: declared = {},
    of = {},
    toQuery,
    present,
    pages: sizes,
    tokensOf,
    isEmpty,
    toNode,
  } = field;
  const asked = Object.fromEntries(Object.entries(declared).filter(([name]) => !(name in of)));
  const known = Object.entries(of);
  const pages = pagesOf(list);
  const counts = countsOf(list);
  const valuesOf = valuesOfTokens(declared);
  const digest = (parent: Parent, query: Query) => {
    const [name, ...values] = tokensOf?.(parent, query) ?? [list.name, ...valuesOf(query)];
    return digestQuery(name, values);
  };
  const ref = t.field({
    // Every connection is resolved to the same shape.
    type: field.type as 'UtxoConnection',
    description: field.description,
    extensions: {
      ...sqlOf({
        list: { list, arguments: declared, of, digest, limits: sizes?.limits, isMade: !!toQuery, present },
      }),
      ...(sizes && longPages(sizes.limits)),
    },
    args: { ...argumentRefs(t, asked), ...pageRefs(t, sizes) },
    resolve: async (parent: Parent, args: PageArguments, context: Context) => {
      const own = Object.fromEntries(known.map(([name, valueOf]) => [name, valueOf(parent)]));
      const [values, request] = checkBoth(
        () => argumentsOf(declared, args, context, own),
        () => pageRequest(args, context, sizes?.limits),
      );
      const given = { ...own, ...values };
      // Not awaited where there is nothing to wait for: pages of several parents are gathered within one turn.
      const made = toQuery ? await toQuery(given as never, context) : (given as Query);
      const query = atPresent(made, present, () => presentOf(context).moment);
      const { storage, tokens } = context;
      const isForNothing = askForNothing(values);
      const nothing = isForNothing || (isEmpty?.(parent) ?? false);
      return readConnection({
        storage,
        tokens,
        // Of nothing there are no tokens: whatever is given is of another list.
        query: () => (isForNothing ? digestQuery('nothing', []) : digest(parent, made)),
        asked: query,
        request,
        read: (request) => {
          if (nothing) return Promise.resolve([]);
          return known.length > 0
            ? pages(context).load({ query, request })
            : list.read(storage, query, request);
        },
        exists: (id) => list.exists(storage, query, id),
        count: () => {
          if (!list.isCounted(query)) return Promise.reject(notCounted());
          if (nothing) return Promise.resolve({ count: 0, isExact: true });
          if (known.length > 0) return counts(context)(query);
          return countList(context, (most) => list.count(storage, query, most));
        },
        toNode,
      });
    },
  });
  return ref as unknown as FieldRef<never>;
}

/** What page tokens tell of arguments, in the order declared: a function of the query. */
export function valuesOfTokens(declared: Arguments): (query: object) => unknown[] {
  // Tokens were given out when a list that was left out was an empty one, which has none now.
  const absent = Object.entries(declared).map(
    ([name, { type }]) => [name, Array.isArray(type) ? [] : undefined] as const,
  );
  return (query) => absent.map(([name, none]) => (query as Record<string, unknown>)[name] ?? none);
}

function pagesOf<Query, Row>(list: List<Query, Row>) {
  return createContextCache(({ storage }: Context) =>
    pageLoader<ListPage<Query>, Row>(
      ({ query }) => list.kindOf(query),
      (pages) => list.readBatch(storage, pages),
    ),
  );
}

function countsOf<Query, Row>(list: List<Query, Row>) {
  return createContextCache((context: Context) =>
    countLoader<Query>(
      context,
      (query) => `${list.kindOf(query)} ${list.parentOf(query)}`,
      (query) => list.kindOf(query),
      (queries, most) => list.countBatch(context.storage, queries, most),
    ),
  );
}
