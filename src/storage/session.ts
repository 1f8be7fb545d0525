import type { Readable } from 'node:stream';
import type { CopyValue } from './copy.js';
import type { Statement } from './statement.js';

/** The result of a statement. */
export interface Result<Row> {
  rows: Row[];
  /** Rows that it returned or changed. */
  rowCount: number | null;
}

/** Statements on one connection. */
export interface Connection {
  /** @throws what pg throws. `mostBytes`: that it may return, if more than usual */
  query<Row extends object>(
    text:
      | string
      | (Partial<Statement> & { text: string; values?: unknown[]; rowMode?: 'array'; mostBytes?: number }),
    values?: unknown[],
  ): Promise<Result<Row>>;
}

/** A transaction in which an import writes. Independent statements are sent together. */
export interface Batch extends Connection {
  /**
   * Adds rows to a table: with COPY if they are many.
   *
   * @param columns the columns of each row, in its order
   * @throws what pg throws; the database transaction is then aborted
   */
  copy(table: string, columns: readonly string[], rows: Iterable<readonly CopyValue[]>): Promise<void>;
}

/** A borrowed connection of the pool: its work may make temporary tables, change settings and take hours. */
export interface Session extends Batch {
  /**
   * Runs `work` in one database transaction (READ COMMITTED) and commits it, unless `work` throws.
   *
   * @param first statements to begin with, sent in one message
   */
  transaction<T>(work: (batch: Batch) => Promise<T>, first?: readonly string[]): Promise<T>;
  /** The rows of a SELECT in the form that COPY's options say. */
  copyOut(select: string, options: string): Readable;
}
