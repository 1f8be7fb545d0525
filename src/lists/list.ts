import type { Keyset, ListOrder } from '../paging/keyset.js';
import type { MaybeStop, PageRequest } from '../paging/page-request.js';
import type { Reader } from '../storage/reader.js';
export type { ListOrder };

/** Where rows come from: the FROM item, and SQL of the columns by the names under which they are read. */
export interface RowSource {
  from: string;
  columns: Readonly<Record<string, string>>;
}

/** Rows of one kind of node: where they come from, and how one is read as resolvers see it. */
export interface NodeSource<Node> extends RowSource {
  toNode: (row: never) => Node;
}

/** What a connection needs of a row: its position in the data and its JSON. */
export interface ListedRow extends MaybeStop {
  /** Row id, a decimal text. */
  id: string;
  text: string;
  /**
   * A hash of the values that it is sorted by, a decimal text; absent where no import changes them. See
   * paging/position.ts.
   */
  mark?: string | null;
}

/** SQL of one of a list's values, by name: a parameter, or a column of the parent's row. */
export type ValueOf = (name: string) => string;

/** SQL of the FROM item, for all combinations of filters or depending on them. */
export type FromText = string | ((value: ValueOf, filters: readonly string[]) => string);

/** How a list's SQL writes its bound values and cursors. */
export interface Binds {
  value: ValueOf;
  /** SQL of a cursor's position: see paging/position.ts. */
  cursor: (name: 'after' | 'before') => string;
}

/** A total order; in a list whose ranges overlap the last column must differ in any two rows. */
export interface Order {
  /** Part of the statements' names. */
  name: string;
  direction: ListOrder;
  /** SQL over the list's keys. */
  columns: readonly string[];
  /** SQL of the same values over the table of the cursors; absent if a cursor is the value itself. */
  position?: (alias: string) => readonly string[];
  /** Indexes of the columns whose values imports can change: a token has their hash, to detect a change. */
  moves?: readonly number[];
  /** Where an upgrade changed it: SQL of which rows `o` may be elsewhere to row `c` since. See former.ts. */
  resorted?: string;
  /** Whether the table is partitioned by the first column: a page reads only those beyond its cursors. */
  prunes?: boolean;
}

/** A condition that a list has for some values of its query. */
export type Condition = {
  /** Whether a bound value turns it on; if not given, any value but null does. */
  isOn?: (value: unknown) => boolean;
} & (
  | { sql: (value: ValueOf) => string }
  /** Where else in the declaration its SQL is. */
  | { in: 'from' | 'where' | 'ranges' | 'sift' }
);

/** How a list applies a value of its query, or an argument that narrows it. */
export type Filter =
  | Condition
  /** Its `bind` makes other values from it, by name. */
  | { as: string | readonly string[] }
  /** Another list is read instead, or the argument is refused. */
  | 'never';
export type Filters = Readonly<Record<string, Filter>>;

/** A part of a list for which one index range, or several, give the first rows. */
export interface Range {
  /**
   * FROM items; for each of their rows the first rows of a range are read, and the keys may refer to them.
   * Not given: one range is read.
   */
  each?: string;
  /** Conditions in addition to the list's own. */
  where?: string;
}

/** The parts from which a list is merged. */
export interface Ranges {
  parts: readonly Range[];
  /** Whether several may have the same row, which is then listed once. */
  overlap: boolean;
}

/** What decides the text of one list's statement. */
export interface Shape {
  order: Order;
  /** Names of the filters that are given. */
  filters: readonly string[];
  request: Pick<PageRequest<unknown>, 'direction' | 'after' | 'before'>;
}

/** What the SQL of a list's keys is made of, in addition to the shape. */
export interface Keys extends Shape {
  binds: Binds;
  /** The order and the conditions of the page, over columns that correspond to those of the order. */
  keyset: (columns: readonly string[]) => Keyset;
  /** The SELECT of all keys of the list, without an order. */
  entries: string;
}

/** What an index range cannot say about a list's rows: see sift.ts. */
export interface Sift {
  /** SQL of the condition for a row, over the tables where rows are looked up. */
  sql: (value: ValueOf, filters: readonly string[]) => string;
  /** Most rows that the pages of one statement check together, unless they request more. */
  most: number;
}

/** What the SQL of a list is made of. */
export interface ListSql {
  /** FROM and WHERE of the keys, without filters. */
  from: FromText;
  where: (value: ValueOf, filters: readonly string[], ...page: [Shape['request'], ListOrder]) => string;
  filters?: Filters;
  /**
   * The table of the rows that cursors name, whatever the list's filters, and the condition that finds a
   * cursor's row in it, by its row id when not given. Without a cursor it is the value that the list is
   * sorted by, whether or not there is a row. `once`: its row is expensive to find, for example in every
   * partition of the table, so that all ranges of a page share it.
   */
  cursor?: { table: string; at?: (alias: string, id: string, value: ValueOf) => string; once?: boolean };
  /** The alias of the keys' table, if whole rows of several ranges are merged. */
  whole?: string;
  /** SQL of a row's columns by name, over the keys' own tables or the tables where rows are looked up. */
  columns: RowSource['columns'];
  /**
   * Where rows are looked up for only the keys of the page, which are `page.k1`, `page.k2`, … and what `keys`
   * names.
   */
  lookup?: { from: FromText; on: string; keys?: RowSource['columns'] };
  /** Only for a list whose rows are looked up. Its pages may be short, and it has no count. */
  sift?: Sift;
  /** Not given: the list is one range. */
  ranges?: (value: ValueOf, filters: readonly string[]) => Ranges;
  /**
   * SQL of the keys k1, k2, … of a page, if it is not the usual one: the entries beyond the cursors, sorted
   * and cut.
   */
  keys?: (keys: Keys) => string;
}

/**
 * A list, declared once: it runs by itself, as a batch of the lists of many parents, or LATERAL inside a
 * parent's row. Values are the members of the query, bound by their names; `:limit` is one row more than the
 * page, or null.
 */
export type ListDeclaration<Query, Node = unknown, Narrowing extends string = never> = ListBase<Query, Node> &
  Narrowed<Narrowing>;

/** A list without arguments that narrow it needs no filters; for such arguments each must have one. */
type Narrowed<Narrowing extends string> = [Narrowing] extends [never]
  ? unknown
  : { filters: Readonly<Record<Narrowing, Filter>> };

interface ListBase<Query, Node = unknown> extends ListSql {
  /** Part of the statements' names; no two lists share it. */
  name: string;
  /** SQL types of the values that the SQL names. */
  values: Readonly<Record<string, string>>;
  /** Makes the bound values from a query; if not given, they are the query itself. */
  bind?: (query: Query) => Readonly<Record<string, unknown>>;
  /**
   * Names of the values that come from the parent if the list has one; the lists of a batch share the others.
   * Of a value that is an array, a parent has one item.
   */
  parent?: readonly string[];
  /** SQL of a parent's values as they are bound, if a parent's row has them in other types. */
  ofParent?: Readonly<Record<string, (sql: string) => string>>;
  order: Order | ((query: Query) => Order);
  /** Reads a row as resolvers see it. */
  toNode: (row: never) => Node;
  /** The query that only counts the list. */
  counted?: (query: Query) => Query;
  /** Counts and finds cursors with a model, so that no statement is needed. */
  count?: (storage: Reader, query: Query, most: number) => Promise<number>;
  exists?: (storage: Reader, id: string) => Promise<boolean>;
}

/** What the SQL that contains a list is made of, for any query: see execution/statement.ts. */
export type DeclaredList = ListSql & Pick<ListBase<never>, 'name' | 'values' | 'ofParent'>;

/** What a query and its page are bound to. */
export interface BoundList {
  declaration: DeclaredList;
  /** The values of the query as they are bound. */
  values: Readonly<Record<string, unknown>>;
  shape: Shape;
}
