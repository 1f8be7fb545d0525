import { bareArrayText } from '../storage/copy.js';
import type { Batch } from '../storage/session.js';

/**
 * Reserves row ids for new rows before they are written, so that the rows that refer to them can also be
 * written with COPY.
 *
 * @param table a table with a serial column `id`
 * @param kept the ids that rows should have, by their index; an id that another row has by now is replaced
 * @returns as many ids, as decimal texts; new ones rise
 */
export async function takeIds(
  client: Batch,
  table: string,
  count: number,
  kept: readonly (string | null)[] = [],
): Promise<string[]> {
  const free = await freeIds(client, table, kept);
  const next = (await nextIds(client, table, count - free.size)).values();
  return Array.from({ length: count }, (_, index) => {
    const id = kept[index] ?? null;
    // If two rows should keep the same id, the first does.
    return id !== null && free.delete(id) ? id : (next.next().value as string);
  });
}

/** Those of some ids that no row has. */
async function freeIds(client: Batch, table: string, ids: readonly (string | null)[]): Promise<Set<string>> {
  const wanted = new Set(ids.filter((id) => id !== null));
  if (wanted.size === 0) return wanted;
  const { rows } = await client.query<{ id: string }>(
    `SELECT id::text FROM ${table} WHERE id = ANY($1::bigint[])`,
    [bareArrayText([...wanted])],
  );
  for (const { id } of rows) wanted.delete(id);
  return wanted;
}

/** A separate statement, without the table: on a worker of Citus the sequence would give other numbers. */
async function nextIds(client: Batch, table: string, count: number): Promise<string[]> {
  if (count === 0) return [];
  const { rows } = await client.query<[string]>({
    // OFFSET 0: the sequence is looked up once, not for each row.
    text: `SELECT nextval(sequence.name)::text
           FROM (SELECT pg_get_serial_sequence($1, 'id')::regclass AS name OFFSET 0) sequence, generate_series(1, $2::int)`,
    values: [table, count],
    rowMode: 'array',
  });
  return rows.map(([id]) => id);
}
