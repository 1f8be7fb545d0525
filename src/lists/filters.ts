import type { Condition, Filter, ListSql, ValueOf } from './list.js';

/**
 * The conditions among a list's filters, and the names of the filters that it never gets.
 *
 * @throws Error for a filter that refers to a value that the list does not have
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

/** SQL of a filter that is given; undefined if the declaration has it elsewhere. */
export const conditionText = (filter: Filter | undefined, value: ValueOf) =>
  typeof filter === 'object' && 'sql' in filter ? filter.sql(value) : undefined;
