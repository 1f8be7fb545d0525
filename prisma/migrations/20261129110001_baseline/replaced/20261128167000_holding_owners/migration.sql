-- What is staked or in flight is kept by its locks too, and what several own by who they are. Everything is made anew from the
-- outputs, as src/resources/utxo/import-holdings.ts does it.
DROP INDEX address_holding_key, address_holding_address_id_asset_row_id_idx, holding_output_amount_idx;
TRUNCATE address_holding, holding_output;
ALTER TABLE address_holding ADD COLUMN owner_set bigint NOT NULL;

WITH held AS MATERIALIZED (
  SELECT o.address_id,
    (CASE
      WHEN state.in_flight THEN 'in_flight'
      WHEN state.staked THEN 'staked'
      WHEN lock.stakeable > lock.platform THEN 'stakeable'
      WHEN lock.platform > 0 THEN 'platform'
      ELSE 'plain' END)::holding_kind AS kind,
    u.created_on, u.consumed_on,
    CASE WHEN state.staked AND lock.last <= coalesce(u.utxo_end_timestamp, 0) THEN 0 ELSE lock.last END AS until,
    CASE
      WHEN state.in_flight THEN 0
      WHEN state.staked THEN CASE WHEN u.utxo_start_timestamp > o.time THEN u.utxo_start_timestamp ELSE 0 END
      WHEN lock.stakeable > lock.platform THEN lock.platform
      ELSE 0 END AS opens,
    u.asset_row_id, coalesce(u.threshold > 1, owners.count > 1) AS shared,
    CASE WHEN owners.count > 1 THEN owners.hash ELSE 0 END AS owner_set,
    o.time, o.tie, o.utxo_row_id, o.amount,
    -- An NFT counts as 1: see src/resources/utxo/amount.ts.
    CASE WHEN u.amount = 0 AND substr(u.utxo_bytes, 71, 4) = '\x0000000b' THEN 1 ELSE u.amount END AS counted
  FROM utxo_owner o
  JOIN utxo u ON u.id = o.utxo_row_id AND o.chain = u.created_on
  CROSS JOIN LATERAL (
    SELECT u.created_on <> u.consumed_on AS in_flight,
      u.created_on = u.consumed_on AND u.staked IS TRUE AS staked) state
  CROSS JOIN LATERAL (
    SELECT coalesce(u.platform_locktime, 0) AS platform, coalesce(u.stakeable_locktime, 0) AS stakeable,
      greatest(u.platform_locktime, u.stakeable_locktime, 0) AS last) lock
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT a) AS count,
      ('x' || encode(substr(sha256(convert_to(
        coalesce(string_agg(DISTINCT a COLLATE "C", ',' ORDER BY a COLLATE "C"), ''), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint AS hash
    FROM unnest(u.addresses) AS a) owners
  WHERE NOT o.spent AND o.address_id NOT IN (SELECT id FROM address WHERE address = '')
), made AS (
  INSERT INTO address_holding
    (address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared, owner_set, outputs, amount)
  SELECT address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared, owner_set, count(*), sum(counted)
  FROM held GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  RETURNING *
)
INSERT INTO holding_output (holding_id, time, tie, utxo_row_id, amount)
  SELECT h.id, o.time, o.tie, o.utxo_row_id, o.amount FROM held o
  JOIN made h USING (address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared, owner_set);

-- By kind and chain, then by unlock time: spendable outputs are found beside any number of locked ones.
CREATE UNIQUE INDEX address_holding_key
  ON address_holding (address_id, kind, created_on, until, opens, consumed_on, asset_row_id, shared, owner_set);
-- The holdings in the assets of one page of balances, whatever else the address has.
CREATE INDEX address_holding_address_id_asset_row_id_idx ON address_holding (address_id, asset_row_id);
CREATE INDEX holding_output_amount_idx ON holding_output (holding_id, amount, tie, utxo_row_id) INCLUDE (time);
