import type { FieldNode, GraphQLField } from 'graphql';
import type { ListSource, RowSourceOf, TypeSource } from '../graphql/sql-source.js';

/*
 * What an operation asks the database for: its fields by what stands behind them.
 */

/** A list or a row in an operation, with the arguments of its field. */
export interface Asked {
  /** Its place among all of the operation, by which its values are found. */
  index: number;
  field: GraphQLField<unknown, unknown>;
  node: FieldNode;
  /** Whether no variable can change its arguments. */
  isFixed: boolean;
  /** What the type of the row declares that it hangs on; undefined for a field of the query. */
  parent: TypeSource | undefined;
  /** That row, where it is a field of the query itself. */
  on: RowNode | undefined;
}

/** A part of a reply's object: its key, and what stands there. */
export type Part<Other> = { key: string } & ({ is: 'sql'; sql: string } | Other);

export type RowPart = Part<{ is: 'list'; list: ListNode } | { is: 'row'; row: RowNode }>;
/** What is selected of a row. */
export interface Row {
  type: TypeSource | undefined;
  parts: readonly RowPart[];
}

export type EdgePart = Part<{ is: 'cursor' } | { is: 'node'; row: Row }>;
export type InfoPart = Part<{ is: 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor' }>;
export type ListPart = Part<
  | { is: 'nodes'; row: Row }
  | { is: 'edges'; parts: EdgePart[] }
  | { is: 'pageInfo'; parts: InfoPart[] }
  | { is: 'json' }
>;

export interface ListNode extends Asked {
  source: ListSource;
  parts: readonly ListPart[];
}

export interface RowNode extends Asked {
  source: RowSourceOf;
  row: Row;
}

/** A field of the query, answered by a statement of its own. */
export interface Root {
  key: string;
  nodes: readonly FieldNode[];
  is: { list: ListNode } | { row: RowNode } | { text: string };
}

export interface OperationPlan {
  roots: readonly Root[];
  /** All lists and rows, by index. */
  asked: readonly (ListNode | RowNode)[];
  /** Fields that are selected in it. */
  fields: number;
}
