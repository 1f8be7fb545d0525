import type { LateWork } from '../../storage/late-indexes.js';

/** Columns of a table with their SQL types: numbers, enums and booleans, whose texts need no quotes. */
export type Columns = Readonly<Record<string, string>>;

/**
 * A table that one SELECT computes from another: what writes that one keeps this one up to date, by its own
 * statement.
 */
export interface ComputedTable {
  name: string;
  key: Columns;
  values: Columns;
  /** The other table. */
  source: string;
  /** The SELECT of all rows: the columns of `key` and `values`. */
  rows: string;
}

/** The name of the work of filling one after an import: see storage/late-indexes.ts. */
export const lateNameOf = ({ name }: ComputedTable) => `${name}_filled`;

/** That work: it fills an empty table or a filled one anew, while who writes the other table waits. */
export function lateWorkOf(table: ComputedTable): LateWork {
  const { name, key, values, source, rows } = table;
  const columns = Object.keys({ ...key, ...values }).join(', ');
  const definition = `LOCK TABLE ${source} IN SHARE MODE; DELETE FROM ${name}; INSERT INTO ${name} (${columns}) ${rows}`;
  return { name: lateNameOf(table), table: source, definition };
}
