import type { Connection } from '../../src/storage/session.js';

/**
 * Fills a table while it has only the indexes of its constraints, and its foreign keys are not checked:
 * building indexes over all rows at once takes a part of the time of maintaining them, and rows that are
 * derived from each other are consistent.
 *
 * @param name which indexes, a pattern of LIKE; all unless given
 */
export async function withLateIndexes(
  client: Connection,
  table: string,
  fill: () => Promise<unknown>,
  name = '%',
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index WHERE indrelid = $1::regclass AND indexrelid::regclass::text LIKE $2
       AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)`,
    [table, name],
  );
  for (const index of rows) await client.query(`DROP INDEX ${index.name}`);
  await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
  await fill();
  await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
  for (const { definition } of rows) await client.query(definition);
}
