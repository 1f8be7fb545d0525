-- The L1 validators that transactions of the P-chain changed, and a row for each transaction that changed one: see
-- 20261122005000_subnets.
CREATE TABLE l1_validator (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  validation_id text COLLATE "C" NOT NULL
);
CREATE TABLE l1_validator_transaction (
  transaction_id bigint NOT NULL,
  l1_validator_row_id bigint NOT NULL,
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
CREATE TEMPORARY TABLE named_l1_validator ON COMMIT DROP AS
SELECT DISTINCT t.id AS transaction_id, t.network, n.name COLLATE "C" AS name, t.tx_type, t.block_timestamp AS time, t.tie
FROM transaction t CROSS JOIN LATERAL (
  SELECT item.value->>'validationId' FROM jsonb_array_elements(t.details->'l1ValidatorDetails') AS item(value)) n(name)
WHERE t.chain = 'p' AND n.name ~ '^[1-9A-HJ-NP-Za-km-z]{32,64}$';

INSERT INTO l1_validator (network, validation_id)
SELECT DISTINCT network, name FROM named_l1_validator ORDER BY network, name;
CREATE UNIQUE INDEX l1_validator_network_validation_id_key ON l1_validator (network, validation_id);

INSERT INTO l1_validator_transaction
SELECT named.transaction_id, e.id, named.tx_type, named.time, named.tie
FROM named_l1_validator named JOIN l1_validator e ON e.network = named.network AND e.validation_id = named.name;
ALTER TABLE l1_validator_transaction ADD PRIMARY KEY (transaction_id, l1_validator_row_id);
CREATE INDEX l1_validator_transaction_time_idx
  ON l1_validator_transaction (l1_validator_row_id, time, tie, transaction_id);
