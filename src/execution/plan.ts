import type { FieldNode, GraphQLField } from 'graphql';
import type { ListSource, RowSourceOf, TypeSource } from '../graphql/sql-source.js';

/*
 * What an operation reads from the database: its fields by their sources.
 */

/** A list or a row in an operation, with the arguments of its field. */
export interface PlanNode {
  /** Its index among all nodes of the operation, which finds its bound arguments. */
  index: number;
  field: GraphQLField<unknown, unknown>;
  node: FieldNode;
  /** Whether no variable can change its arguments. */
  isFixed: boolean;
  /** The source of the parent's type; undefined for a field of the query. */
  parent: TypeSource | undefined;
  /** The parent row, if that is a field of the query itself. */
  on: RowNode | undefined;
}

/** A part of a reply's object: its key, and its value. */
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

export interface ListNode extends PlanNode {
  source: ListSource;
  parts: readonly ListPart[];
}

export interface RowNode extends PlanNode {
  source: RowSourceOf;
  row: Row;
}

/** A field of the query, answered by its own statement. */
export interface Root {
  key: string;
  nodes: readonly FieldNode[];
  is: { list: ListNode } | { row: RowNode } | { text: string };
}

export interface OperationPlan {
  roots: readonly Root[];
  /** All lists and rows, by index. */
  nodes: readonly (ListNode | RowNode)[];
  /** Number of fields that it selects. */
  fields: number;
}
