import { expect } from 'vitest';
import type { Storage } from '../../src/storage/open.js';
import { poolOf } from './connections.js';

/** Each output with its state, once for each owner; `everybody` also with the empty address. */
const owned = (owners: string) => `(
  SELECT u.*, a.id AS address_id, coalesce(u.block_timestamp, 0) AS time,
    CASE WHEN u.amount = 0 AND get_byte(u.utxo_bytes, 73) = 11 THEN 1 ELSE u.amount END AS counted,
    u.consuming_tx_hash IS NOT NULL AND u.staked IS NOT TRUE AS spent,
    coalesce(u.platform_locktime, 0) AS platform, coalesce(u.stakeable_locktime, 0) AS stakeable
  FROM utxo u JOIN address a ON a.network = u.network AND a.address = ANY(${owners})) o`;
const perOwner = owned('u.addresses');
const everybody = owned(`u.addresses || ''::text`);
const perChain = 'CROSS JOIN LATERAL (SELECT DISTINCT unnest(ARRAY[o.created_on, o.consumed_on]) AS chain) c';
const isFree = 'o.created_on = o.consumed_on AND o.staked IS NOT TRUE';
const isStaked = 'o.created_on = o.consumed_on AND o.staked IS TRUE';

const member = `
  SELECT o.address_id,
    CASE WHEN o.created_on <> o.consumed_on THEN 'in_flight' WHEN o.staked THEN 'staked'
      WHEN o.stakeable > o.platform THEN 'stakeable' WHEN o.platform > 0 THEN 'platform' ELSE 'plain' END AS kind,
    o.created_on, o.consumed_on,
    CASE WHEN ${isStaked} AND greatest(o.platform, o.stakeable) <= coalesce(o.utxo_end_timestamp, 0) THEN 0
      ELSE greatest(o.platform, o.stakeable) END AS until,
    CASE WHEN ${isFree} AND o.stakeable > o.platform THEN o.platform
      WHEN ${isStaked} AND o.utxo_start_timestamp > o.time THEN o.utxo_start_timestamp ELSE 0 END AS opens,
    o.asset_row_id, coalesce(o.threshold > 1, (SELECT count(DISTINCT a) > 1 FROM unnest(o.addresses) AS a)) AS shared,
    coalesce((
      SELECT CASE WHEN count(DISTINCT a) > 1 THEN ('x' || encode(substr(sha256(convert_to(
        string_agg(DISTINCT a COLLATE "C", ',' ORDER BY a COLLATE "C"), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint END
      FROM unnest(o.addresses) AS a), 0) AS owner_set,
    o.time, o.tie, o.id AS utxo_row_id, o.amount, o.counted
  FROM ${perOwner} WHERE NOT o.spent`;
const holding = 'address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared, owner_set';
const storedHolding =
  'address_id, kind::text, created_on, consumed_on, until, opens, asset_row_id, shared, owner_set';
const dayOf = (time: string) => `least(floor(coalesce(${time}, 0) / 86400), 2147483647)::integer`;

/** What each derived table has, without ids of its own, and what it should have: SQL over outputs alone. */
const models: Readonly<Record<string, readonly [stored: string, wanted: string]>> = {
  utxo_owner: [
    'SELECT utxo_row_id, address_id, chain, asset_row_id, spent, time, amount, tie FROM utxo_owner',
    `SELECT o.id, o.address_id, c.chain, o.asset_row_id, o.spent, o.time, o.amount, o.tie FROM ${everybody} ${perChain}`,
  ],
  address_balance: [
    'SELECT * FROM address_balance',
    `SELECT o.address_id, c.chain, o.asset_row_id,
       count(*), coalesce(sum(o.counted) FILTER (WHERE NOT o.spent), 0), sum(o.counted),
       count(*) FILTER (WHERE c.chain = o.created_on),
       coalesce(sum(o.counted) FILTER (WHERE c.chain = o.created_on AND NOT o.spent), 0),
       coalesce(sum(o.counted) FILTER (WHERE c.chain = o.created_on), 0)
     FROM ${perOwner} ${perChain} GROUP BY 1, 2, 3`,
  ],
  address_holding: [
    `SELECT ${storedHolding}, outputs, amount FROM address_holding`,
    `SELECT ${holding}, count(*), sum(counted) FROM (${member}) m GROUP BY ${holding}`,
  ],
  holding_output: [
    `SELECT ${storedHolding}, time, tie, utxo_row_id, m.amount
     FROM holding_output m JOIN address_holding h ON h.id = m.holding_id`,
    `SELECT ${holding}, time, tie, utxo_row_id, amount FROM (${member}) m`,
  ],
  address_day: [
    'SELECT * FROM address_day',
    `SELECT * FROM (
       SELECT address_id, asset_row_id, day, sum(received) AS received, sum(sent) AS sent FROM (
         SELECT o.address_id, o.asset_row_id, ${dayOf('o.time')} AS day, o.counted AS received, 0 AS sent FROM ${perOwner}
         UNION ALL
         SELECT o.address_id, o.asset_row_id, greatest(${dayOf('o.time')}, ${dayOf('o.consuming_block_timestamp')}), 0, o.counted
         FROM ${perOwner} WHERE o.spent) move GROUP BY 1, 2, 3) d WHERE received > 0 OR sent > 0`,
  ],
};

/** Expects each table that is derived from outputs to have what the stored outputs add up to. */
export async function expectDerived(storage: Storage): Promise<void> {
  for (const [table, queries] of Object.entries(models)) {
    const [stored, wanted] = await Promise.all(
      queries.map(async (sql) => {
        const text = `SELECT * FROM (${sql}) row ORDER BY row::text`;
        return (await poolOf(storage).query<unknown[]>({ text, rowMode: 'array' })).rows;
      }),
    );
    expect(stored, table).toEqual(wanted);
  }
}
