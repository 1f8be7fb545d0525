import { bareArrayText, columnText, type CopyValue } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import type { Columns } from './computed.js';

/** Rows as a FROM item of this name, with the parameters that it needs, from $1 on. */
export function givenAs(
  name: string,
  columns: Columns,
  rows: readonly (readonly CopyValue[])[],
): { from: string; values: string[] } {
  const names = Object.keys(columns);
  const lists = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  return {
    from: `unnest(${lists.join(', ')}) AS ${name}(${names.join(', ')})`,
    values: names.map((_, index) => bareArrayText(rows.map((row) => columnText(row[index] ?? null)))),
  };
}

/** SQL that is true where two FROM items have the same values in these columns. */
export function sameColumns(columns: Columns, a: string, b: string): string {
  return Object.keys(columns)
    .map((name) => `${a}.${name} = ${b}.${name}`)
    .join(' AND ');
}

/**
 * Deletes the rows with these keys.
 *
 * @param rows the values of the key, perhaps followed by others
 * @param condition SQL over a row `old` that must also be true
 */
export async function deleteByKey(
  batch: Batch,
  table: string,
  key: Columns,
  rows: readonly (readonly CopyValue[])[],
  condition = 'true',
): Promise<void> {
  if (rows.length === 0) return;
  const given = givenAs('gone', key, rows);
  await batch.query(
    `DELETE FROM ${table} old USING ${given.from} WHERE ${sameColumns(key, 'old', 'gone')} AND ${condition}`,
    given.values,
  );
}
