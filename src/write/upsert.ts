import type { Batch } from '../storage/session.js';
import { arrayText, columnText, type CopyValue } from '../storage/copy.js';
import { takeIds } from './ids.js';

/** What an upsert needs to know of a table. */
export interface UpsertTable {
  name: string;
  /** The columns that are written, with their SQL types; others keep their defaults. */
  columns: Readonly<Record<string, string>>;
  /** Columns, never null, that identify a row; a unique index must cover them. */
  key: readonly string[];
  /**
   * Whether the columns include `id`, serial in the table: the id that a new row keeps, null for any.
   * `taken`: the ids of new rows were taken for them.
   */
  keepsIds?: boolean | 'taken';
}

/** The table, with rows that keep their ids if they should. */
export function withIds<Table extends UpsertTable>(
  table: Table,
  keepsIds: UpsertTable['keepsIds'],
): UpsertTable {
  return keepsIds ? { ...table, columns: { ...table.columns, id: 'bigint' }, keepsIds } : table;
}

export interface Upserted {
  inserted: number;
  updated: number;
}

/**
 * Makes a table contain these rows: adds those whose key is new, changes those that differ, and does not
 * touch those that are the same. Of rows with the same key the last one counts. Set-based: one look-up of
 * which keys are stored, one update of those that differ, COPY of the others. Not ON CONFLICT, because a
 * conflict uses up an id and writes even what is equal; not a temporary table, because a table on a worker of
 * Citus cannot be joined with it.
 *
 * Call it inside a database transaction that excludes other writers of these keys (every RowKind.write is).
 *
 * @param rows values in the order of the table's columns
 */
export async function upsertRows(
  client: Batch,
  table: UpsertTable,
  rows: Iterable<readonly CopyValue[]>,
): Promise<Upserted> {
  const columns = Object.keys(table.columns);
  const unique = lastByKey(table, columns, rows);
  if (unique.length === 0) return { inserted: 0, updated: 0 };
  const indexes = await storedIndexes(client, table, columns, unique);
  const stored = unique.filter((_row, index) => indexes.has(index));
  const fresh = unique.filter((_row, index) => !indexes.has(index));
  const [updated] = await Promise.all([
    updateRows(client, table, stored),
    insertRows(client, table, columns, fresh),
  ]);
  return { inserted: fresh.length, updated };
}

/** The indexes of the rows whose key is stored. */
async function storedIndexes(
  client: Batch,
  table: UpsertTable,
  columns: readonly string[],
  rows: readonly (readonly CopyValue[])[],
): Promise<Set<number>> {
  const given = givenRows(table, columns, table.key, rows);
  const { rows: stored } = await client.query<[number]>({
    text: `SELECT new.nth::int FROM ${given.from} JOIN ${table.name} old ON ${sameKey(table)}`,
    values: given.values,
    rowMode: 'array',
  });
  return new Set(stored.map(([nth]) => nth - 1));
}

/** Changes those of stored rows that differ, each given once; returns how many did. */
export async function updateRows(
  client: Batch,
  table: UpsertTable,
  rows: readonly (readonly CopyValue[])[],
): Promise<number> {
  const columns = Object.keys(table.columns);
  const others = columns.filter((name) => !table.key.includes(name) && !(table.keepsIds && name === 'id'));
  if (others.length === 0 || rows.length === 0) return 0;
  const given = givenRows(table, columns, [...table.key, ...others], rows);
  const { rowCount } = await client.query(
    `UPDATE ${table.name} old SET ${others.map((name) => `${name} = new.${name}`).join(', ')}
     FROM ${given.from} WHERE ${sameKey(table)}
       AND (${others.map((name) => `old.${name}`).join(', ')})
         IS DISTINCT FROM (${others.map((name) => `new.${name}`).join(', ')})`,
    given.values,
  );
  return rowCount ?? 0;
}

async function insertRows(
  client: Batch,
  table: UpsertTable,
  columns: readonly string[],
  rows: readonly (readonly CopyValue[])[],
): Promise<void> {
  if (rows.length === 0) return;
  if (table.keepsIds !== true) return client.copy(table.name, columns, rows);
  const position = columns.indexOf('id');
  const kept = rows.map((row) => (row[position] === null ? null : String(row[position])));
  const ids = await takeIds(client, table.name, rows.length, kept);
  await client.copy(
    table.name,
    columns,
    rows.map((row, index) => row.with(position, ids[index] ?? null)),
  );
}

const sameKey = (table: UpsertTable) => table.key.map((name) => `old.${name} = new.${name}`).join(' AND ');

/** Some columns of rows as a FROM item, `new`, with the number of each from 1 on as `nth`. */
function givenRows(
  table: UpsertTable,
  columns: readonly string[],
  wanted: readonly string[],
  rows: readonly (readonly CopyValue[])[],
): { from: string; values: string[] } {
  // unnest would split arrays of lists into single items: those are sent as texts.
  const isList = (name: string) => table.columns[name]?.endsWith('[]');
  const lists = wanted.map(
    (name, index) => `$${index + 1}::${isList(name) ? 'text' : table.columns[name]}[]`,
  );
  const typed = wanted.map((name) => `given.${name}${isList(name) ? `::${table.columns[name]}` : ''}`);
  return {
    from: `(SELECT ${typed.join(', ')}, given.nth
       FROM unnest(${lists.join(', ')}) WITH ORDINALITY AS given(${wanted.join(', ')}, nth)) new`,
    values: wanted.map((name) => {
      const at = columns.indexOf(name);
      return arrayText(rows.map((row) => columnText(row[at] ?? null)));
    }),
  };
}

function lastByKey(
  table: UpsertTable,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
): (readonly CopyValue[])[] {
  const indexes = table.key.map((name) => columns.indexOf(name));
  const byKey = new Map<string, readonly CopyValue[]>();
  for (const row of rows) byKey.set(JSON.stringify(indexes.map((index) => String(row[index]))), row);
  return [...byKey.values()];
}
