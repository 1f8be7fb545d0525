import type { NestedPage } from '../paging/nested-page.js';
import type { PageRequest } from '../paging/page-request.js';
import type { Reader } from '../storage/reader.js';
import type { BoundList, ListDeclaration, ListedRow, Shape } from './list.js';
import { StatementList } from './statement-list.js';

/** A page of one parent's list. */
export interface ListPage<Query> extends NestedPage {
  query: Query;
}

/** The result of counting a list: its rows, and the entries that were read for it. */
export interface Counted {
  count: number;
  read: number;
}

export interface List<Query, Node> {
  name: string;
  bound(query: Query, request: Shape['request']): BoundList;
  /** Up to limit + 1 rows in list order. Cursors are what `exists` takes. */
  read(storage: Reader, query: Query, request: PageRequest): Promise<ListedRow[]>;
  /** The same for several parents in one statement, in their order: requests and queries of one shape. */
  readBatch(storage: Reader, pages: readonly [ListPage<Query>, ...ListPage<Query>[]]): Promise<ListedRow[][]>;
  /** How many rows a list has, reading up to `most` entries. */
  count(storage: Reader, query: Query, most: number): Promise<Counted>;
  /** The same for several parents, each up to `most`, in their order. */
  countBatch(storage: Reader, queries: readonly [Query, ...Query[]], most: number): Promise<Counted[]>;
  isCounted(query: Query): boolean;
  toNode(row: ListedRow): Node;
  /** Whether the row of a cursor exists and has not moved, whatever the list's filters. */
  exists(storage: Reader, query: Query, position: string): Promise<boolean>;
  /** The present position of the row of a cursor of before an upgrade; null if it is none, or has moved. */
  carried(storage: Reader, query: Query, position: string): Promise<string | null>;
  /** What queries that are read in one batch share, including filters that are no values, such as a state. */
  kindOf(query: Query): string;
  /** A text that differs between the lists of different parents in a batch. */
  parentOf(query: Query): string;
}

const taken = new Set<string>();

/**
 * Makes a list from its declaration. `Narrowing` are the names of the arguments that narrow it, `never` if
 * there are none.
 *
 * @throws Error when another list has its name, or a filter refers to a value that the list does not have
 */
export function defineList<Query extends object, Node, Narrowing extends string>(
  declaration: ListDeclaration<Query, Node, Narrowing>,
): List<Query, Node> {
  const { name } = declaration;
  if (taken.has(name)) throw new Error(`two lists are called ${name}`);
  taken.add(name);
  return new StatementList(declaration);
}
