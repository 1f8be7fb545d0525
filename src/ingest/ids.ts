import type pg from 'pg';

/**
 * Takes row ids for new rows before they are written, so that the rows that refer to them can be written with COPY
 * as well.
 *
 * @param table a table with a serial column `id`
 * @returns as many ids, rising, as decimal texts
 */
export async function takeIds(client: pg.ClientBase, table: string, count: number): Promise<string[]> {
  if (count === 0) return [];
  const { rows } = await client.query<[string]>({
    text: `SELECT nextval(pg_get_serial_sequence($1, 'id'))::text FROM generate_series(1, $2)`,
    values: [table, count],
    rowMode: 'array',
  });
  return rows.map(([id]) => id);
}
