import type { RowSourceOf } from '../graphql/sql-source.js';
import type { DeclaredList } from '../lists/list.js';
import { AFTER_CURSOR, BEFORE_CURSOR } from './marks.js';
import { literal } from './pieces.js';
import type { ListNode } from './plan.js';
import { Unsupported } from './unsupported.js';

/** SQL of a parent's keys by name. */
export type Keys = Readonly<Record<string, string>>;

/**
 * SQL of the key of a row, from SQL of its parent's keys.
 *
 * @throws Unsupported if a part is neither one of these nor a constant
 */
export function keyInSql(of: NonNullable<RowSourceOf['of']>, parent: Keys): Keys {
  const known = new Set<unknown>(Object.values(parent));
  const key = of(parent as never, (value) => {
    const text = literal(value);
    known.add(text);
    return text as typeof value;
  });
  if (!Object.values(key).every((part) => known.has(part)))
    throw new Unsupported('a key that the type does not declare');
  return key as Keys;
}

/** The list's values that come from its parent's row, in SQL. */
export function ownKeys(
  of: ListNode['source']['of'],
  parent: Keys,
  { ofParent = {} }: DeclaredList,
): Record<string, string | string[]> {
  const keys = Object.entries(of).map(([name, valueOf]) => {
    const sql = valueOf(parent as never) as string | string[];
    return [name, typeof sql === 'string' ? (ofParent[name]?.(sql) ?? sql) : sql];
  });
  return Object.fromEntries(keys) as Record<string, string | string[]>;
}

/** SQL that marks where a page token stands in the reply, from SQL of a row's position: see marks.ts. */
export function cursorText({ index }: ListNode, parent: Keys): (position: string) => string {
  const of = Object.entries(parent).flatMap(([name, sql]) => [`'${name}'`, sql]);
  const json = of.length > 0 ? `json_build_object(${of.join(', ')})::text` : `'{}'`;
  return (position) => `('${BEFORE_CURSOR}${index}:' || ${position} || ':' || ${json} || '${AFTER_CURSOR}')`;
}
