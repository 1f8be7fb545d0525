import { bareArrayText } from '../storage/copy.js';
import type { Batch } from '../storage/session.js';

/**
 * Takes row ids for new rows before they are written, so that the rows that refer to them can be written with COPY
 * as well.
 *
 * @param table a table with a serial column `id`
 * @param kept the ids that rows should have, by their place; one that another row has by now is replaced
 * @returns as many ids, as decimal texts; those that are new rise
 */
export async function takeIds(
  client: Batch,
  table: string,
  count: number,
  kept: readonly (string | null)[] = [],
): Promise<string[]> {
  if (count === 0) return [];
  const wanted = Array.from({ length: count }, (_, place) => kept[place] ?? null);
  const { rows } = await client.query<[string]>({
    text: `SELECT ${keptOrNext(table, 'wanted.id')}::text FROM unnest($1::bigint[]) AS wanted(id)`,
    values: [bareArrayText(wanted)],
    rowMode: 'array',
  });
  return rows.map(([id]) => id);
}

/**
 * SQL of the id that a row keeps, or where it has none, or another row has it, of a new one. The sequence is looked up once
 * for all rows: for each of them it took more than the rest.
 */
export function keptOrNext(table: string, kept: string): string {
  return `coalesce(
    CASE WHEN ${kept} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${table} held WHERE held.id = ${kept}) THEN ${kept} END,
    nextval((SELECT pg_get_serial_sequence('${table}', 'id')::regclass)))`;
}
