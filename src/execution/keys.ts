import type { RowSourceOf } from '../graphql/sql-source.js';
import { literal } from './pieces.js';
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
