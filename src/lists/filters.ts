import type { Condition, Filter, ListSql, ValueOf } from './list.js';

/**
 * Of a list's filters the conditions, and the names of those that it is never asked by.
 *
 * @throws Error for a filter that stands for a value that the list does not have
 */
export function conditionsOf({
  name,
  values,
  filters = {},
}: Pick<ListSql, 'filters'> & { name: string; values: object }) {
  const known = { ...values, ...filters };
  const entries = Object.entries(filters);
  for (const [each, filter] of entries)
    if (filter !== 'never' && 'as' in filter)
      for (const value of [filter.as].flat())
        if (!Object.hasOwn(known, value))
          throw new Error(`${name}: ${each} stands for ${value}, which is not a value`);
  return {
    refused: entries.flatMap(([each, filter]) => (filter === 'never' ? [each] : [])),
    conditions: entries.filter(
      (entry): entry is [string, Condition] => entry[1] !== 'never' && !('as' in entry[1]),
    ),
  };
}

export function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** SQL of a filter that is asked for; undefined where the declaration has it elsewhere. */
export const conditionText = (filter: Filter | undefined, value: ValueOf) =>
  typeof filter === 'object' && 'sql' in filter ? filter.sql(value) : undefined;
