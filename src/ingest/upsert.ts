import type { Batch } from '../storage/session.js';
import type { CopyValue } from '../storage/copy.js';
import { keptOrNext } from './ids.js';

/** What an upsert needs to know of a table. */
export interface UpsertTable {
  name: string;
  /** The columns that are written, with their SQL types; others keep their defaults. */
  columns: Readonly<Record<string, string>>;
  /** Columns, never null, that identify a row; a unique index must cover them. */
  key: readonly string[];
  /** Whether the columns have `id`, serial in the table: what a new row keeps as its id, null for any. */
  keepsIds?: boolean;
}

/** The table, with rows that keep their ids where they are to. */
export function withIds<Table extends UpsertTable>(table: Table, keepsIds: boolean | undefined): UpsertTable {
  return keepsIds ? { ...table, columns: { ...table.columns, id: 'bigint' }, keepsIds } : table;
}

export interface Upserted {
  inserted: number;
  updated: number;
}

/**
 * Makes a table hold these rows: adds those whose key is new, changes those that differ, leaves alone (and does not
 * write) those that are the same. Of rows with the same key the last one counts. Set-based: COPY into a temporary
 * table, an update of what IS DISTINCT, an insert of what is missing. ON CONFLICT is not used, because a conflict
 * burns an id and writes even what is equal.
 *
 * Call it inside a database transaction that excludes other writers of these keys (every ImportKind.write is).
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
  const staged = `staged_${table.name}`;
  const definitions = Object.entries(table.columns).map(([name, type]) => `${name} ${type}`);
  await client.query(`CREATE TEMPORARY TABLE ${staged} (${definitions.join(', ')})`);
  await client.copy(staged, columns, unique);

  const sameKey = table.key.map((name) => `old.${name} = new.${name}`).join(' AND ');
  const others = columns.filter((name) => !table.key.includes(name) && !(table.keepsIds && name === 'id'));
  const values = columns.map((name) =>
    table.keepsIds && name === 'id' ? keptOrNext(table.name, 'new.id') : `new.${name}`,
  );
  let updated = 0;
  if (others.length > 0) {
    const result = await client.query(
      `UPDATE ${table.name} old SET ${others.map((name) => `${name} = new.${name}`).join(', ')}
       FROM ${staged} new WHERE ${sameKey}
         AND (${others.map((name) => `old.${name}`).join(', ')})
           IS DISTINCT FROM (${others.map((name) => `new.${name}`).join(', ')})`,
    );
    updated = result.rowCount ?? 0;
  }
  const { rowCount } = await client.query(
    `INSERT INTO ${table.name} (${columns.join(', ')})
     SELECT ${values.join(', ')} FROM ${staged} new
     WHERE NOT EXISTS (SELECT 1 FROM ${table.name} old WHERE ${sameKey})`,
  );
  // Not ON COMMIT DROP: one batch may stage the same table twice.
  await client.query(`DROP TABLE ${staged}`);
  return { inserted: rowCount ?? 0, updated };
}

function lastByKey(
  table: UpsertTable,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
): (readonly CopyValue[])[] {
  const places = table.key.map((name) => columns.indexOf(name));
  const byKey = new Map<string, readonly CopyValue[]>();
  for (const row of rows) byKey.set(JSON.stringify(places.map((place) => String(row[place]))), row);
  return [...byKey.values()];
}
