import { lacksPosition } from '../avalanche/sort-key.js';
import { parseJson, printJson } from '../json.js';

/**
 * The values of a row as texts, by column; those of an object, such as the fields of a transaction, one by
 * one. Large numbers are not rounded.
 *
 * @param row JSON text of its columns
 */
export function valuesOf(row: string): Map<string, unknown> {
  const columns = Object.entries(parseJson(row) as Record<string, unknown>);
  return new Map(
    columns.flatMap(([column, value]): [string, unknown][] =>
      isObject(value)
        ? Object.entries(value).map(([field, part]) => [`${column}.${field}`, part])
        : [[column, value]],
    ),
  );
}

/** For people; a value that is absent is unknown. */
export const shown = (value: unknown): string => printJson(value ?? null);

/**
 * Whether a stored value is the sort key of a file, or of an earlier version, that lacks the position in the
 * block.
 *
 * @param sortKey the column that has sort keys, if any
 */
export const isLessExact = (sortKey: string | undefined, column: string, stored: unknown): boolean =>
  column === sortKey &&
  (typeof stored === 'number' || typeof stored === 'bigint') &&
  lacksPosition(BigInt(stored));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
