-- The history of an address: a row for each transaction that consumed or emitted an output of it. Without foreign keys for
-- the reason given in 20261120000610_owner_rows_unchecked.
CREATE TABLE address_transaction (
  transaction_id bigint NOT NULL,
  address_id bigint NOT NULL,
  chain primary_chain NOT NULL,
  tx_type text NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- The locks under which imports write (src/ingest/batch.ts), in their order: imports wait until the rows of what is stored
-- are there. Nothing else waits, as no table that anybody reads is locked.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '60s';
SELECT pg_advisory_xact_lock(1836020321, 0);
SELECT pg_advisory_xact_lock(1836020321, 1);

-- What does not fit goes to disk.
SET LOCAL work_mem = '64MB';
INSERT INTO address_transaction
SELECT t.id, party.address_id, t.chain, t.tx_type, t.block_timestamp, t.tie
FROM (
  SELECT DISTINCT link.transaction_id, o.address_id
  FROM (SELECT transaction_id, utxo_row_id FROM transaction_output
        UNION ALL SELECT transaction_id, utxo_row_id FROM transaction_input) link
  JOIN utxo_owner o ON o.utxo_row_id = link.utxo_row_id
  -- The empty address owns every output and has no history.
  WHERE o.address_id NOT IN (SELECT id FROM address WHERE address = '')
) party
JOIN transaction t ON t.id = party.transaction_id;

ALTER TABLE address_transaction ADD PRIMARY KEY (transaction_id, address_id);
-- A history of all chains merges a range of each.
CREATE INDEX address_transaction_time_idx ON address_transaction (address_id, chain, time, tie, transaction_id);
CREATE INDEX address_transaction_type_time_idx
  ON address_transaction (address_id, chain, tx_type, time, tie, transaction_id);
