import type { Batch } from '../../storage/session.js';
import { sameColumns } from './given-rows.js';
import type { Columns, ComputedTable } from './computed.js';
import type { DerivedTable } from './table.js';

/** A stored table with the rows that it should have. */
interface Comparison {
  name: string;
  key: readonly string[];
  values: readonly string[];
  /** FROM item, named `fresh`. */
  fresh: string;
}

/** How a stored table differs from what it should be. */
export interface Difference {
  name: string;
  /** Rows that are missing or have other values. */
  wrong: number;
  /** Rows that should not exist. */
  extra: number;
  /** The key of one of them; null if there is none. */
  example: string | null;
}

/** A derived table and its table of members, each with its fresh one. */
export function comparisonsOf<Item>(table: DerivedTable<Item>, fresh: DerivedTable<Item>): Comparison[] {
  const values = 'sums' in table ? table.sums : table.values;
  const own = comparison(table.name, table.key, values, `${fresh.name} fresh`);
  if (!('sums' in table && table.members && 'sums' in fresh && fresh.members)) return [own];
  const { name, parent, key } = table.members;
  const columns = Object.keys({ ...key, ...table.members.values }).map((column) => `member.${column}`);
  // The stored row of the same key has another id, or none yet.
  const members = `(SELECT stored.id AS ${parent}, ${columns.join(', ')}
    FROM ${fresh.members.name} member JOIN ${fresh.name} computed ON computed.id = member.${parent}
    LEFT JOIN ${table.name} stored ON ${sameColumns(table.key, 'stored', 'computed')}) fresh`;
  return [own, comparison(name, { [parent]: 'bigint', ...key }, table.members.values, members)];
}

/** A computed table with its fresh one. */
export const comparisonOf = ({ name, key, values }: ComputedTable, fresh: string): Comparison =>
  comparison(name, key, values, `${fresh} fresh`);

const comparison = (name: string, key: Columns, values: Columns, fresh: string): Comparison => ({
  name,
  key: Object.keys(key),
  values: Object.keys(values),
  fresh,
});

/** Counts the rows that differ. */
export async function countDifferences(batch: Batch, each: Comparison): Promise<Difference> {
  const wrong = await count(batch, each, 'fresh', `${each.fresh} WHERE ${isWrong(each)}`);
  const extra = await count(batch, each, 'old', `${each.name} old WHERE ${isExtra(each)}`);
  return {
    name: each.name,
    wrong: wrong.rows,
    extra: extra.rows,
    example: wrong.example ?? extra.example,
  };
}

async function count(
  batch: Batch,
  { key }: Comparison,
  alias: string,
  from: string,
): Promise<{ rows: number; example: string | null }> {
  const example = key.map((column) => `'${column}=' || ${alias}.${column}`).join(', ');
  const { rows } = await batch.query<{ rows: string; example: string | null }>(
    `SELECT count(*) AS rows, min(concat_ws(' ', ${example})) AS example FROM ${from}`,
  );
  return { rows: Number(rows[0]?.rows), example: rows[0]?.example ?? null };
}

/** Adds the rows that are missing, and corrects those that have other values. */
export async function insertMissing(batch: Batch, each: Comparison): Promise<void> {
  const { name, key, values, fresh } = each;
  const columns = [...key, ...values].join(', ');
  await batch.query(
    `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${fresh} WHERE ${isWrong(each)}
     ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${values.map((value) => `${value} = excluded.${value}`).join(', ')}`,
  );
}

/** Deletes the rows that should not exist. */
export async function deleteExtra(batch: Batch, each: Comparison): Promise<void> {
  await batch.query(`DELETE FROM ${each.name} old WHERE ${isExtra(each)}`);
}

const isWrong = ({ name, key, values }: Comparison) =>
  `NOT EXISTS (SELECT 1 FROM ${name} old WHERE ${[...key, ...values].map((column) => `old.${column} = fresh.${column}`).join(' AND ')})`;
const isExtra = ({ key, fresh }: Comparison) =>
  `NOT EXISTS (SELECT 1 FROM ${fresh} WHERE ${key.map((column) => `old.${column} = fresh.${column}`).join(' AND ')})`;
