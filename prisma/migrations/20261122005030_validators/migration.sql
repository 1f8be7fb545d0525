-- The nodes that transactions of the P-chain name, and a row for each transaction that names one: see 20261122005000_subnets.
CREATE TABLE validator (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  node_id text COLLATE "C" NOT NULL
);
CREATE TABLE validator_transaction (
  transaction_id bigint NOT NULL,
  validator_row_id bigint NOT NULL,
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
CREATE TEMPORARY TABLE named_validator ON COMMIT DROP AS
SELECT DISTINCT t.id AS transaction_id, t.network, n.name COLLATE "C" AS name, t.tx_type, t.block_timestamp AS time, t.tie
FROM transaction t CROSS JOIN LATERAL (
  SELECT t.details->>'nodeId'
  UNION ALL SELECT item.value->>'nodeId' FROM jsonb_array_elements(t.details->'l1ValidatorDetails') AS item(value)
  UNION ALL SELECT staking.details->>'nodeId' FROM transaction staking
    WHERE t.tx_type = 'RewardValidatorTx' AND staking.network = t.network AND staking.chain = 'p'
      AND staking.tx_hash = t.details->>'stakingTxHash') n(name)
WHERE t.chain = 'p' AND n.name ~ '^NodeID-[1-9A-HJ-NP-Za-km-z]{20,60}$';

INSERT INTO validator (network, node_id) SELECT DISTINCT network, name FROM named_validator ORDER BY network, name;
CREATE UNIQUE INDEX validator_network_node_id_key ON validator (network, node_id);

INSERT INTO validator_transaction
SELECT named.transaction_id, v.id, named.tx_type, named.time, named.tie
FROM named_validator named JOIN validator v ON v.network = named.network AND v.node_id = named.name;
ALTER TABLE validator_transaction ADD PRIMARY KEY (transaction_id, validator_row_id);
CREATE INDEX validator_transaction_time_idx ON validator_transaction (validator_row_id, time, tie, transaction_id);
CREATE INDEX validator_transaction_type_time_idx
  ON validator_transaction (validator_row_id, tx_type, time, tie, transaction_id);
