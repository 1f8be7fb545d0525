import type { Keyset, ListOrder } from '../paging/keyset.js';
import type { PageRequest } from '../paging/page-request.js';
import type { Reader } from '../storage/reader.js';

/** Where rows come from: what stands after FROM, and SQL of the columns by the names under which they are read. */
export interface RowSource {
  from: string;
  columns: Readonly<Record<string, string>>;
}

/** SQL of one of a list's values, by name: a parameter, or a column of the row that the list hangs on. */
export type ValueOf = (name: string) => string;

/** SQL that stands after FROM, of whatever filters are asked for, or of these. */
export type FromText = string | ((value: ValueOf, filters: readonly string[]) => string);

/** Where a list's SQL stands, which decides how what it is asked by is spelled. */
export interface Place {
  value: ValueOf;
  /** SQL of the place that a cursor is: see paging/place.ts. */
  cursor: (name: 'after' | 'before') => string;
}

/** A total order; in a list whose ranges overlap the last column alone tells any two rows apart. */
export interface Order {
  /** Part of the statements' names. */
  name: string;
  direction: ListOrder;
  /** SQL over the list's keys. */
  columns: readonly string[];
  /** SQL of the same values over the table of the cursors; where a cursor is the value itself, there is none. */
  position?: (alias: string) => readonly string[];
  /** Those of the columns whose values imports can change, by index: a token of a row tells whether they are still the same. */
  moves?: readonly number[];
  /** Whether the table is partitioned by the first column: a page then looks into the partitions beyond its cursors alone. */
  prunes?: boolean;
}

/** A condition that a list has for some values of its query. */
export type Condition = {
  /** Whether a value, as it is bound, asks for it; any but null, where this is not given. */
  isOn?: (value: unknown) => boolean;
} & (
  | { sql: (value: ValueOf) => string }
  /** Where else in the declaration its SQL is. */
  | { in: 'from' | 'where' | 'ranges' | 'sift' }
);

/** What a list makes of a value of its query, or of an argument that narrows it. */
export type Filter =
  | Condition
  /** Its `bind` makes other values of it, by name. */
  | { as: string | readonly string[] }
  /** Another list is asked in its place, or the argument is refused. */
  | 'never';
export type Filters = Readonly<Record<string, Filter>>;

/** A part of a list of which one index range, or several, give the top-N. */
export interface Range {
  /** FROM items for each row of which a top-N is read; the keys may refer to them. Not given: one is read. */
  each?: string;
  /** What holds beside the list's own conditions. */
  where?: string;
}

/** The parts that a list is merged of. */
export interface Ranges {
  parts: readonly Range[];
  /** Whether several may hold the same row, which then is listed once. */
  overlap: boolean;
}

/** What decides the text of one list's statement. */
export interface Shape {
  order: Order;
  /** Names of the filters that are asked for. */
  filters: readonly string[];
  request: Pick<PageRequest<unknown>, 'direction' | 'after' | 'before'>;
}

/** What the SQL of a list's keys is made of, beside the shape. */
export interface Keys extends Shape {
  place: Place;
  /** The order and the conditions of the page, over columns that stand for the order's. */
  keyset: (columns: readonly string[]) => Keyset;
  /** The SELECT of all keys of the list, without an order. */
  entries: string;
}

/** What of a list's rows no range of an index tells: see sift.ts. */
export interface Sift {
  /** SQL of what holds for a row, over where rows are looked up. */
  sql: (value: ValueOf, filters: readonly string[]) => string;
  /** Rows that the pages of one statement look at together, where they do not ask for more. */
  most: number;
}

/** What the SQL of a list is made of. */
export interface ListSql {
  /** FROM and WHERE of the keys, filters aside. */
  from: FromText;
  where: (value: ValueOf, filters: readonly string[], request: Shape['request']) => string;
  filters?: Filters;
  /** The table that holds what cursors name, whatever the list's filters, and the row of a cursor in it. Not given:
   * a cursor is the value that the list is sorted by, a place in it whether or not there is a row. `once`: its row is
   * dear to find, as in every partition of the table, and all ranges of a page share it. */
  cursor?: { table: string; at: (alias: string, id: string, value: ValueOf) => string; once?: boolean };
  /** SQL of a row's columns by name, over the keys' own tables or where the rows are looked up. */
  columns: RowSource['columns'];
  /**
   * Where rows are looked up for the keys of the page alone, which are `page.k1`, `page.k2`, … and what `keys` names.
   */
  lookup?: { from: FromText; on: string; keys?: RowSource['columns'] };
  /** Of a list whose rows are looked up. Its pages may end before they are full, and it has no count. */
  sift?: Sift;
  /** Not given: the list is one range. */
  ranges?: (value: ValueOf, filters: readonly string[]) => Ranges;
  /** SQL of the keys k1, k2, … of a page, where it is not the usual: the entries beyond the cursors, sorted and cut. */
  keys?: (keys: Keys) => string;
}

/**
 * A list, declared once: it runs alone, as a batch of the lists of many parents, or LATERAL inside a parent's row.
 * Values are the members of the query, bound by their names; `:limit` is one row more than the page, or null.
 */
export type ListDeclaration<Query, Narrowing extends string = never> = ListBase<Query> & Narrowed<Narrowing>;

/** A list without arguments that narrow it need not speak of filters; of each of the others it has to. */
type Narrowed<Narrowing extends string> = [Narrowing] extends [never]
  ? unknown
  : { filters: Readonly<Record<Narrowing, Filter>> };

interface ListBase<Query> extends ListSql {
  /** Part of the statements' names; no two lists share it. */
  name: string;
  /** SQL types of the values that the SQL names. */
  values: Readonly<Record<string, string>>;
  /** The values of a query as they are bound; the query itself, where this is not given. */
  bind?: (query: Query) => Readonly<Record<string, unknown>>;
  /**
   * Names of the values that are a parent's own where the list hangs on one; those of a batch have the others in
   * common. Of a value that is an array, a parent has one item.
   */
  parent?: readonly string[];
  /** SQL of a parent's values as they are bound, where a parent's row has them in other types. */
  ofParent?: Readonly<Record<string, (sql: string) => string>>;
  order: Order | ((query: Query) => Order);
  /** How a list is asked for when it is only counted. */
  counted?: (query: Query) => Query;
  /** Where a model counts and finds cursors, so that there need be no statement for it. */
  count?: (storage: Reader, query: Query, most: number) => Promise<number>;
  exists?: (storage: Reader, id: string) => Promise<boolean>;
}

/** What SQL that holds a list is made of, whatever it is asked for: see execution/statement.ts. */
export type HeldList = ListSql & Pick<ListBase<never>, 'name' | 'values' | 'ofParent'>;

/** What a page of a list comes to. */
export interface AskedList {
  declaration: HeldList;
  /** The values of the query as they are bound. */
  values: Readonly<Record<string, unknown>>;
  shape: Shape;
}
