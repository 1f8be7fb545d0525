import type { DAY_SECONDS } from '../avalanche/seconds.js';
import type { Connection } from '../storage/session.js';
import type { JsonField } from '../storage/json-text.js';
import type { Selection } from './kind.js';

/** SQL of a condition: a time in seconds, or a day number with `unit` 86,400, lies in the selected range. */
export function inSelection(
  column: string,
  { since, until }: Selection,
  unit: 1 | typeof DAY_SECONDS = 1,
): string {
  const time = unit === 1 ? column : `${column}::bigint * ${unit}`;
  const bounds = [
    since !== null && `coalesce(${time}, 0) >= ${since}`,
    until !== null && `coalesce(${time}, 0) < ${until}`,
  ].filter(Boolean);
  return bounds.length > 0 ? `(${bounds.join(' AND ')})` : 'true';
}

/** The fields of a row that only its installation knows: its id, if requested. */
export function rowIdField(column: string, { installation }: Selection): JsonField[] {
  return installation ? [{ name: 'rowId', form: 'plain', sql: column }] : [];
}

/** The selected chains of a table with an index on `evm_chain_id`: one look-up for each chain. */
export async function evmChainsOf(
  client: Connection,
  table: string,
  { hasEvmChain }: Selection,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH RECURSIVE found AS (
       SELECT min(evm_chain_id) AS id FROM ${table}
       UNION ALL
       SELECT (SELECT min(t.evm_chain_id) FROM ${table} t WHERE t.evm_chain_id > found.id) FROM found
       WHERE found.id IS NOT NULL)
     SELECT id::text FROM found WHERE id IS NOT NULL ORDER BY found.id`,
  );
  return rows.map(({ id }) => id).filter(hasEvmChain);
}

/** SQL of a list of chains. */
export function chainIds(ids: readonly string[]): string {
  return `'{${ids.join(',')}}'::bigint[]`;
}
