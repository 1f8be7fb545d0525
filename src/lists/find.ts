import type { Reader } from '../storage/reader.js';
import { bind, statement } from '../storage/statement.js';
import type { NodeSource, RowSource } from './list.js';
import { select } from './sql.js';

/**
 * A part of a key: its SQL type, the SQL of the column that it is compared with, and how it is bound, if not
 * unchanged.
 */
export type KeyColumn = readonly [type: string, sql: string, bind?: (part: string) => string];

/** Finds nodes by the keys of their rows: in the order of the keys, null for one that is not stored. */
export interface Find<Key, Node> {
  (storage: Reader, keys: readonly Key[]): Promise<(Node | null)[]>;
  /** Another key of a node that was found, under which it then is known too. */
  otherKey?: (node: Node) => Key;
}

/** A find that is declared by its SQL. */
export interface DeclaredFind<Key, Node> extends Find<Key, Node> {
  /** What the SQL that finds one row is made of: see execution/statement.ts. */
  source: Pick<RowSource, 'from'>;
  key: Readonly<Record<string, KeyColumn>>;
  /** Whether it finds the first of several rows. */
  isFirst: boolean;
}

/**
 * Declares how rows are found by key, any number in one statement. If a key finds several rows, they are
 * equal.
 *
 * @param name of the statement
 * @param firstBy for a key with alternative parts that each find rows: SQL that sorts the wanted row first
 */
export function defineFind<Key extends object, Node>(
  name: string,
  { from, columns, toNode }: NodeSource<Node>,
  key: { readonly [Part in keyof Key & string]-?: KeyColumn },
  { firstBy }: { firstBy?: string } = {},
): DeclaredFind<Key, Node> {
  const parts = Object.entries<KeyColumn>(key);
  const find = statement(
    name,
    `SELECT wanted.ordinal::int AS ordinal, row.*
     FROM unnest(${parts.map(([part, [type]]) => `:${part}::${type}[]`).join(', ')}) WITH ORDINALITY
       AS wanted(${parts.map(([part]) => `"${part}"`).join(', ')}, ordinal)
     CROSS JOIN LATERAL (
       SELECT ${select(columns).join(', ')} FROM ${from}
       WHERE ${parts.map(([part, [, sql]]) => `${sql} = wanted."${part}"`).join(firstBy ? ' OR ' : ' AND ')}
       ${firstBy ? `ORDER BY ${firstBy}` : ''} LIMIT 1) row`,
  );
  const read = async (storage: Reader, keys: readonly Key[]) => {
    const values = parts.map(([part, [, , bound]]): [string, unknown] => {
      const given = keys.map((each) => each[part as keyof Key] ?? null);
      return [part, bound ? given.map((each) => bound(String(each))) : given];
    });
    const rows = await storage.read<{ ordinal: number }>(find, bind(find, Object.fromEntries(values)));
    const found = keys.map((): Node | null => null);
    for (const row of rows) found[row.ordinal - 1] = toNode(row as never);
    return found;
  };
  return Object.assign(read, { source: { from }, key, isFirst: firstBy !== undefined });
}

/**
 * Sorts the rows that a model finds into the order of the keys; null for a row that is not stored.
 *
 * @param nameOfKey a text that is the same for a key and its row
 */
export function inOrder<Key, Row>(
  keys: readonly Key[],
  nameOfKey: (key: Key) => string,
  rows: readonly Row[],
  nameOfRow: (row: Row) => string,
): (Row | null)[] {
  const found = new Map(rows.map((row) => [nameOfRow(row), row]));
  return keys.map((key) => found.get(nameOfKey(key)) ?? null);
}
