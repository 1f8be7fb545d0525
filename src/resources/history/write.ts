import type { Network } from '../../avalanche/networks.js';
import { isLate } from '../../storage/late-indexes.js';
import type { Batch } from '../../storage/session.js';
import { lateNameOf } from '../../write/derived/computed.js';
import { isOpen } from '../reference/present.js';
import { activeAddresses, dayOf, scopes } from './import-activity.js';

/** Finds the outputs that a transaction consumed or emitted. */
export const links = `(
  SELECT transaction_id, utxo_row_id FROM transaction_output
  UNION ALL SELECT transaction_id, utxo_row_id FROM transaction_input) link`;

/** The histories as they were, and as they are after `party`, of transactions `$1`. */
const write = `
  WITH party AS MATERIALIZED (
    SELECT DISTINCT t.id AS transaction_id, o.address_id, t.chain, t.tx_type, t.block_timestamp AS time, t.tie,
      CASE WHEN t.chain = 'p' AND ${isOpen} THEN true END AS is_open
    FROM transaction t
    JOIN ${links} ON link.transaction_id = t.id
    JOIN utxo_owner o ON o.utxo_row_id = link.utxo_row_id
    -- The empty address owns every output and has no history.
    WHERE t.id = ANY($1::bigint[])
      AND o.address_id <> (SELECT id FROM address WHERE network = $2 AND address = '')
  ), former AS MATERIALIZED (
    SELECT address_id, chain, time FROM address_transaction WHERE transaction_id = ANY($1::bigint[])
  ), gone AS (
    DELETE FROM address_transaction h WHERE h.transaction_id = ANY($1::bigint[]) AND NOT EXISTS (
      SELECT 1 FROM party WHERE party.transaction_id = h.transaction_id AND party.address_id = h.address_id)
  ), written AS (
    INSERT INTO address_transaction AS h (transaction_id, address_id, chain, tx_type, time, tie, is_open)
    SELECT * FROM party
    ON CONFLICT (transaction_id, address_id) DO UPDATE
      SET tx_type = excluded.tx_type, time = excluded.time, tie = excluded.tie, is_open = excluded.is_open
    WHERE (h.tx_type, h.time, h.tie, h.is_open)
      IS DISTINCT FROM (excluded.tx_type, excluded.time, excluded.tie, excluded.is_open)
  )`;

/** What other transactions say of the address of `seen` on its chains, as they were and are. */
const others = 'h.address_id = seen.address_id AND h.transaction_id <> ALL($1::bigint[])';

/**
 * Days of addresses that the transactions change, and the first day of each. An address counts on a day, or
 * as new, if any transaction says so: looking for one other is enough, and it has an index. OFFSET 0: each is
 * looked for there, where a join of all may read the whole table for one block.
 */
const count = `, seen AS MATERIALIZED (
    SELECT row.address_id, s.scope, s.chains, ${dayOf('row.time')} AS day, bool_or(now) AS now, bool_or(NOT now) AS was
    FROM (SELECT address_id, chain, time, true AS now FROM party
      UNION ALL SELECT address_id, chain, time, false FROM former) row CROSS JOIN LATERAL ${scopes('row.chain')}
    WHERE NOT ${isLate(lateNameOf(activeAddresses))} GROUP BY 1, 2, 3, 4
  ), change AS (
    SELECT day, scope, now::int - was::int AS active, 0 AS newcomers FROM seen
    WHERE now <> was AND NOT EXISTS (SELECT 1 FROM address_transaction h WHERE ${others}
      AND h.chain = ANY(seen.chains) AND h.time >= day * 86400::numeric AND h.time < (day + 1) * 86400::numeric OFFSET 0)
    UNION ALL
    SELECT first.day, scope, 0, first.change
    FROM (SELECT address_id, scope, chains, min(day) FILTER (WHERE now) AS now, min(day) FILTER (WHERE was) AS was
      FROM seen GROUP BY 1, 2, 3) seen
    CROSS JOIN LATERAL (SELECT ${dayOf('min(h.time)')} AS day FROM unnest(seen.chains) AS c(chain) CROSS JOIN LATERAL (
      SELECT h.time FROM address_transaction h WHERE ${others} AND h.chain = c.chain ORDER BY h.time LIMIT 1) h) other
    CROSS JOIN LATERAL (VALUES (least(seen.now, other.day), 1), (least(seen.was, other.day), -1)) first(day, change)
    WHERE seen.now IS DISTINCT FROM seen.was AND first.day IS NOT NULL
  )
  INSERT INTO active_address_day AS d (network, day, scope, active, newcomers)
  SELECT $2, day, scope, sum(active), sum(newcomers) FROM change GROUP BY day, scope
  HAVING sum(active) <> 0 OR sum(newcomers) <> 0
  ON CONFLICT (network, day, scope) DO UPDATE
    SET active = d.active + excluded.active, newcomers = d.newcomers + excluded.newcomers`;

/**
 * Makes the histories of addresses agree with transactions, their lists of outputs and the owners of these,
 * which must be written; and how many addresses were active, by day. Must run under the network's import
 * lock, like the write of the transactions themselves.
 *
 * @param all row ids of the transactions
 * @param rewritten whether some of them were stored before, and may have had other histories
 */
export async function writeHistories(
  client: Batch,
  network: Network,
  { all, rewritten }: { all: readonly string[]; rewritten: boolean },
): Promise<void> {
  if (all.length === 0) return;
  await Promise.all([
    client.query(write + count, [all, network]),
    rewritten && client.query('DELETE FROM active_address_day WHERE network = $1 AND active = 0', [network]),
  ]);
}

/**
 * The same for the transactions that consumed or emitted outputs whose owners were corrected, by the outputs'
 * row ids.
 */
export async function correctHistories(
  client: Batch,
  network: Network,
  utxoRowIds: readonly string[],
): Promise<void> {
  await writeHistories(client, network, { all: await transactionsOf(client, utxoRowIds), rewritten: true });
}

/** The row ids of the transactions that consumed or emitted outputs. @param utxoRowIds theirs */
export async function transactionsOf(client: Batch, utxoRowIds: readonly string[]): Promise<string[]> {
  if (utxoRowIds.length === 0) return [];
  const { rows } = await client.query<{ id: string }>(
    `SELECT DISTINCT link.transaction_id::text AS id FROM ${links} WHERE link.utxo_row_id = ANY($1::bigint[])`,
    [utxoRowIds],
  );
  return rows.map(({ id }) => id);
}
