import type { Condition, DeclaredList, Filter, FromText, ValueOf } from './list.js';

/**
 * The conditions among a list's filters, and the names of the filters that it never gets.
 *
 * @throws Error for a filter that refers to a value that the list does not have, or that no SQL of the list
 *   uses
 */
export function conditionsOf(list: DeclaredList) {
  const entries = Object.entries(list.filters ?? {});
  const conditions = entries.filter(
    (entry): entry is [string, Condition] => entry[1] !== 'never' && !('as' in entry[1]),
  );
  for (const [each, filter] of entries) checkValues(list, each, filter);
  for (const [each, condition] of conditions) if ('in' in condition) checkUse(list, each, names(conditions));
  return {
    refused: entries.flatMap(([each, filter]) => (filter === 'never' ? [each] : [])),
    conditions,
  };
}

const names = (entries: readonly [string, unknown][]) => entries.map(([name]) => name);

/** @throws Error for a filter that refers to a value that the list does not have */
function checkValues({ name, values, filters }: DeclaredList, each: string, filter: Filter): void {
  if (filter === 'never') return;
  const check = (value: string, known: object) => {
    if (!Object.hasOwn(known, value))
      throw new Error(`${name}: ${each} sets ${value}, which is not a declared value`);
    return value;
  };
  if ('as' in filter) for (const value of [filter.as].flat()) check(value, { ...values, ...filters });
  if ('sql' in filter) filter.sql((value) => check(value, values));
}

/** @throws Error for a filter that changes no SQL of the list, alone or together with all others */
function checkUse(list: DeclaredList, each: string, all: readonly string[]): void {
  const others = all.filter((name) => name !== each);
  if (textWith(list, [each]) === textWith(list, []) && textWith(list, all) === textWith(list, others))
    throw new Error(`${list.name}: no SQL uses the filter ${each}`);
}

/** All SQL of a list that can depend on which filters are given. */
function textWith({ from, where, ranges, sift, lookup }: DeclaredList, given: readonly string[]): string {
  const value: ValueOf = (name) => `:${name}`;
  const text = (item: FromText) => (typeof item === 'string' ? item : item(value, given));
  return JSON.stringify([
    text(from),
    // Beyond a cursor, because some conditions are different then.
    where(value, given, { direction: 'forward', after: '', before: null }, 'desc'),
    ranges?.(value, given),
    sift?.sql(value, given),
    lookup && text(lookup.from),
  ]);
}

export function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** SQL of a filter that is given; undefined if the declaration has it elsewhere. */
export const conditionText = (filter: Filter | undefined, value: ValueOf) =>
  typeof filter === 'object' && 'sql' in filter ? filter.sql(value) : undefined;
