import { printJson } from '../json.js';
import { rowAt } from '../paging/place.js';
import { pageValues, rowsByPage, type NestedPage } from '../paging/nested-page.js';
import type { PageRequest } from '../paging/page-request.js';
import type { Reader } from '../storage/reader.js';
import { bind } from '../storage/statement.js';
import { conditionsOf, isGiven } from './filters.js';
import type { BoundList, ListDeclaration, ListedRow, Place, Shape } from './list.js';
import { windowOf } from './sift.js';
import { listStatements } from './statement-memory.js';
import { countText, cursorWhere, markOf, names, pageText, shapeName } from './sql.js';

/** A page of one parent's list. */
export interface ListPage<Query> extends NestedPage {
  query: Query;
}

/** The result of counting a list: its rows, and the entries that were read for it. */
export interface Counted {
  count: number;
  read: number;
}

/** A list that can be read. */
export interface List<Query, Node> {
  name: string;
  bound(query: Query, request: Shape['request']): BoundList;
  /** Up to limit + 1 rows in list order. Cursors are what `exists` takes. */
  read(storage: Reader, query: Query, request: PageRequest): Promise<ListedRow[]>;
  /** The same for several parents, in one statement, in their order: requests of one shape, queries of one kind. */
  readBatch(storage: Reader, pages: readonly [ListPage<Query>, ...ListPage<Query>[]]): Promise<ListedRow[][]>;
  /** How many rows a list has, reading up to `most` entries. */
  count(storage: Reader, query: Query, most: number): Promise<Counted>;
  /** The same for several parents, each up to `most`, in their order. */
  countBatch(storage: Reader, queries: readonly [Query, ...Query[]], most: number): Promise<Counted[]>;
  /** Whether the list of a query has a count. */
  isCounted(query: Query): boolean;
  toNode(row: ListedRow): Node;
  /** Whether the row of a place exists and has not moved, whatever the list's filters. */
  exists(storage: Reader, query: Query, place: string): Promise<boolean>;
  /** What queries that are read in one batch share, including filters that are no values, such as a state. */
  kindOf(query: Query): string;
  /** A text that differs between the lists of different parents in a batch. */
  parentOf(query: Query): string;
}

const taken = new Set<string>();

/**
 * Makes a list from its declaration. `Narrowing` are the names of the arguments that narrow it, `never` if there are
 * none.
 *
 * @throws Error when another list has its name, or a filter refers to a value that the list does not have
 */
export function defineList<Query extends object, Node, Narrowing extends string>(
  declaration: ListDeclaration<Query, Node, Narrowing>,
): List<Query, Node> {
  const { name, values: types, parent = [], order, cursor, sift, toNode } = declaration;
  if (taken.has(name)) throw new Error(`two lists are called ${name}`);
  taken.add(name);
  const { conditions, refused } = conditionsOf(declaration);
  const valuesOf = declaration.bind ?? ((query: Query) => query as Readonly<Record<string, unknown>>);
  const counted = declaration.counted ?? ((query: Query) => query);
  const uncut = { direction: 'forward', limit: null, after: null, before: null } as const;

  function shapeOf(
    query: Query,
    values: Readonly<Record<string, unknown>>,
    request: Shape['request'],
  ): Shape {
    for (const each of refused)
      if (isGiven((query as Record<string, unknown>)[each])) throw new Error(`${name} does not take ${each}`);
    return {
      order: typeof order === 'function' ? order(query) : order,
      filters: conditions.flatMap(([each, { isOn = isGiven }]) => (isOn(values[each]) ? [each] : [])),
      request,
    };
  }

  /** The statement of a name within the list. */
  const textOf = (part: string, makeText: () => string) => listStatements.of(`${name}_${part}`, makeText);

  const row = [...Object.keys(declaration.columns), ...(sift ? ['isStop'] : [])]
    .map((each) => `page."${each}"`)
    .join(', ');
  const alone: Place = {
    value: (each) => `:${each}::${types[each]}`,
    cursor: (each) => `:${each}::bigint`,
  };
  const inBatch: Place = {
    value: (each) => {
      if (!parent.includes(each)) return alone.value(each);
      return types[each]?.endsWith('[]') ? `ARRAY[parent."${each}"]` : `parent."${each}"`;
    },
    cursor: (each) => `parent.${each}`,
  };
  /** FROM of a batch: a row for each parent. */
  const parents = (more: readonly string[]) => {
    const lists = parent.map((each) => `:${each}::${types[each]?.replace('[]', '')}[]`);
    const cursors = more.map((each) => `:${each}s::bigint[]`);
    return `unnest(${[...lists, ...cursors].join(', ')}) WITH ORDINALITY
      AS parent(${[...parent.map((each) => `"${each}"`), ...more, 'ordinal'].join(', ')})`;
  };
  const parentValues = (all: readonly Readonly<Record<string, unknown>>[]) => ({
    ...all[0],
    ...Object.fromEntries(parent.map((each) => [each, all.map((values) => oneOf(values[each]))])),
  });

  const looking = (limit: number | null, pages: number) =>
    sift ? { window: windowOf(sift, limit, pages) } : {};

  return {
    name,
    bound(query, request) {
      if (sift) throw new Error(`${name}: for the plain executor`);
      const values = valuesOf(query);
      return { declaration, values, shape: shapeOf(query, values, request) };
    },
    async read(storage, query, request) {
      const values = valuesOf(query);
      const shape = shapeOf(query, values, request);
      const page = textOf(shapeName(shape), () => pageText(declaration, shape, alone, false));
      const limit = request.limit === null ? null : request.limit + 1;
      const { after, before } = request;
      const rows = await storage.read<ListedRow>(
        page,
        bind(page, { ...values, ...looking(limit, 1), after, before, limit }),
      );
      return request.direction === 'backward' ? rows.reverse() : rows;
    },
    async readBatch(storage, pages) {
      const [{ query, request }] = pages;
      const all = pages.map((page) => valuesOf(page.query));
      const shape = shapeOf(query, all[0] ?? {}, request);
      const batch = textOf(`of_${shapeName(shape)}`, () => {
        const direction = shape.order.direction;
        // A stop has the keys of the row that was checked last, and comes after it.
        const stop = sift ? `, page."isStop" ${request.direction === 'backward' ? 'DESC' : 'ASC'}` : '';
        return `
          SELECT parent.ordinal::int AS ordinal, ${row}, ${markOf(shape.order, 'page.')} AS mark
          FROM ${parents(['after', 'before'])}
          CROSS JOIN LATERAL (${pageText(declaration, shape, inBatch, true)}) page
          ORDER BY parent.ordinal, ${names(shape.order)
            .map((key) => `page.${key} ${direction}`)
            .join(', ')}${stop}`;
      });
      const paging = pageValues(pages);
      const rows = await storage.read<ListedRow & { ordinal: number }>(
        batch,
        bind(batch, { ...parentValues(all), ...looking(paging.limit, pages.length), ...paging }),
      );
      return rowsByPage(rows, pages.length);
    },
    async count(storage, query, most) {
      if (declaration.count) {
        const count = await declaration.count(storage, query, most);
        return { count, read: count };
      }
      const values = valuesOf(query);
      const shape = shapeOf(counted(query), values, uncut);
      const count = textOf(`count_${shapeName(shape)}`, () => countText(declaration, shape, alone));
      const [counts] = await storage.read<Counted>(count, bind(count, { ...values, limit: most }));
      return counts ?? { count: 0, read: 0 };
    },
    async countBatch(storage, queries, most) {
      const all = queries.map((query) => valuesOf(query));
      const shape = shapeOf(counted(queries[0]), all[0] ?? {}, uncut);
      const count = textOf(
        `count_of_${shapeName(shape)}`,
        () => `
          SELECT counted.* FROM ${parents([])} CROSS JOIN LATERAL (${countText(declaration, shape, inBatch)}) counted
          ORDER BY parent.ordinal`,
      );
      return storage.read<Counted>(count, bind(count, { ...parentValues(all), limit: most }));
    },
    isCounted: () => !sift,
    toNode,
    exists(storage, query, place) {
      if (declaration.exists) return declaration.exists(storage, rowAt(BigInt(place)).toString());
      if (!cursor) return Promise.resolve(true);
      const values = valuesOf(query);
      // Only the order decides the text: filters and direction do not.
      const { order: sorted } = shapeOf(query, values, uncut);
      const find = textOf(
        sorted.name ? `exists_${sorted.name}` : 'exists',
        () => `SELECT 1 FROM ${cursor.table} c WHERE ${cursorWhere(cursor, sorted, ':id::bigint', alone)}`,
      );
      return storage.holds(find, bind(find, { ...values, id: place }));
    },
    kindOf(query) {
      const values = valuesOf(query);
      const { order: sorted, filters: given } = shapeOf(query, values, uncut);
      const common = Object.keys(types).filter((each) => !parent.includes(each));
      return printJson([sorted.name, sorted.direction, given, common.map((each) => values[each])]);
    },
    parentOf(query) {
      const values = valuesOf(query);
      return printJson(parent.map((each) => values[each]));
    },
  };
}

function oneOf(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : value;
}
