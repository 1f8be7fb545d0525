-- What can be done with the unspent outputs of an address: a sum for each asset, chain, kind and unlock time, and which
-- outputs it stands for. Without foreign keys for the reason given in 20261120000610_owner_rows_unchecked.
CREATE TYPE holding_kind AS ENUM ('plain', 'platform', 'stakeable', 'staked', 'in_flight');
CREATE TABLE address_holding (
  id bigserial NOT NULL,
  address_id bigint NOT NULL,
  kind holding_kind NOT NULL,
  created_on primary_chain NOT NULL,
  consumed_on primary_chain NOT NULL,
  until numeric(20, 0) NOT NULL,
  opens numeric(20, 0) NOT NULL,
  asset_row_id integer NOT NULL,
  shared boolean NOT NULL,
  outputs bigint NOT NULL,
  amount numeric(97, 0) NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 80);
CREATE TABLE holding_output (
  holding_id bigint NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  utxo_row_id bigint NOT NULL,
  amount numeric(78, 0) NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- The locks under which imports write (src/ingest/batch.ts), in their order: imports wait until the rows of what is stored
-- are there. Nothing else waits, as no table that anybody reads is locked.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '60s';
SELECT pg_advisory_xact_lock(1836020321, 0);
SELECT pg_advisory_xact_lock(1836020321, 1);

-- What does not fit goes to disk.
SET LOCAL work_mem = '64MB';
CREATE TEMPORARY TABLE held ON COMMIT DROP AS
SELECT o.address_id,
  (CASE
    WHEN u.created_on <> u.consumed_on THEN 'in_flight'
    WHEN u.staked THEN 'staked'
    WHEN lock.stakeable > lock.platform THEN 'stakeable'
    WHEN lock.platform > 0 THEN 'platform'
    ELSE 'plain' END)::holding_kind AS kind,
  u.created_on, u.consumed_on,
  CASE WHEN u.created_on <> u.consumed_on OR u.staked THEN 0 ELSE greatest(lock.platform, lock.stakeable) END AS until,
  CASE WHEN u.created_on = u.consumed_on AND u.staked IS NOT TRUE AND lock.stakeable > lock.platform
    THEN lock.platform ELSE 0 END AS opens,
  u.asset_row_id,
  coalesce(u.threshold > 1, (SELECT count(DISTINCT owner) > 1 FROM unnest(u.addresses) AS owner)) AS shared,
  o.time, o.tie, o.utxo_row_id, o.amount
FROM utxo_owner o
JOIN utxo u ON u.id = o.utxo_row_id AND o.chain = u.created_on
CROSS JOIN LATERAL (
  SELECT coalesce(u.platform_locktime, 0) AS platform, coalesce(u.stakeable_locktime, 0) AS stakeable) lock
-- The empty address owns every output and has no balance.
WHERE NOT o.spent AND o.address_id NOT IN (SELECT id FROM address WHERE address = '');

INSERT INTO address_holding
  (address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared, outputs, amount)
SELECT address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared, count(*), sum(amount)
FROM held GROUP BY address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared;

ALTER TABLE address_holding ADD PRIMARY KEY (id);
-- By kind and chain, then by unlock time: what can be spent is found beside any number of locks that hold.
CREATE UNIQUE INDEX address_holding_key
  ON address_holding (address_id, kind, created_on, until, opens, consumed_on, asset_row_id, shared);

INSERT INTO holding_output
SELECT h.id, held.time, held.tie, held.utxo_row_id, held.amount
FROM held JOIN address_holding h
  USING (address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared);

ALTER TABLE holding_output ADD PRIMARY KEY (holding_id, time, tie, utxo_row_id) INCLUDE (amount);
CREATE INDEX holding_output_amount_idx ON holding_output (holding_id, amount, tie, utxo_row_id) INCLUDE (time);
