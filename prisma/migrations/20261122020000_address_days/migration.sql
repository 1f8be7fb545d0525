-- What came to an address of an asset on a day and what left it: see the model AddressDay. Without foreign keys for the
-- reason given in 20261120000610_owner_rows_unchecked.
CREATE TABLE address_day (
  address_id bigint NOT NULL,
  asset_row_id integer NOT NULL,
  day integer NOT NULL,
  received numeric(97, 0) NOT NULL,
  sent numeric(97, 0) NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 80);

-- The locks under which imports write (src/ingest/batch.ts), in their order: imports wait until the rows of what is stored
-- are there. Nothing else waits, as no table that anybody reads is locked.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '60s';
SELECT pg_advisory_xact_lock(1836020321, 0);
SELECT pg_advisory_xact_lock(1836020321, 1);

-- What does not fit goes to disk.
SET LOCAL work_mem = '64MB';
INSERT INTO address_day
SELECT o.address_id, o.asset_row_id, change.day, sum(change.received), sum(change.sent)
FROM utxo u
JOIN utxo_owner o ON o.utxo_row_id = u.id AND o.chain = u.created_on
CROSS JOIN LATERAL (
  SELECT coalesce(u.block_timestamp, 0) AS created,
    greatest(coalesce(u.block_timestamp, 0), u.consuming_block_timestamp) AS spent) moment
CROSS JOIN LATERAL (
  SELECT least(div(moment.created, 86400), 2147483647)::integer AS day, u.amount AS received, 0 AS sent
  UNION ALL
  SELECT least(div(moment.spent, 86400), 2147483647)::integer, 0, u.amount
  WHERE u.consuming_tx_hash IS NOT NULL AND u.staked IS NOT TRUE) change
-- The empty address owns every output and has no balance.
WHERE o.address_id NOT IN (SELECT id FROM address WHERE address = '')
GROUP BY o.address_id, o.asset_row_id, change.day
HAVING sum(change.received) > 0 OR sum(change.sent) > 0;

ALTER TABLE address_day ADD PRIMARY KEY (address_id, asset_row_id, day);
