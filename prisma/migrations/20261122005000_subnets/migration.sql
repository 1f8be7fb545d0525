-- The subnets that transactions of the P-chain, metrics and EVM chains name, and a row for each transaction that names one.
-- Without foreign keys for the reason given in 20261120000610_owner_rows_unchecked.
CREATE TABLE subnet (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  -- In code-unit order everywhere: page tokens live on where the database has another collation.
  subnet_id text COLLATE "C" NOT NULL
);
CREATE TABLE subnet_transaction (
  transaction_id bigint NOT NULL,
  subnet_row_id bigint NOT NULL,
  tx_type text NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- The locks under which imports write (src/ingest/batch.ts), in their order: imports wait until the rows of what is stored
-- are there. Nothing else waits, as no table that anybody reads is locked for long.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '60s';
SELECT pg_advisory_xact_lock(1836020321, 0);
SELECT pg_advisory_xact_lock(1836020321, 1);
SELECT pg_advisory_xact_lock(1836020321, 2);

-- What does not fit goes to disk.
SET LOCAL work_mem = '64MB';
CREATE TEMPORARY TABLE named ON COMMIT DROP AS
SELECT DISTINCT t.id AS transaction_id, t.network, n.name COLLATE "C" AS name, t.tx_type, t.block_timestamp AS time, t.tie
FROM transaction t CROSS JOIN LATERAL (
  SELECT t.details->>'subnetId'
  UNION ALL SELECT t.tx_hash WHERE t.tx_type = 'CreateSubnetTx'
  UNION ALL SELECT item.value->>'subnetId' FROM jsonb_array_elements(t.details->'l1ValidatorDetails') AS item(value)) n(name)
WHERE t.chain = 'p' AND n.name ~ '^[1-9A-HJ-NP-Za-km-z]{32,64}$';

INSERT INTO subnet (network, subnet_id)
SELECT network, name FROM (
  SELECT network, name FROM named
  UNION SELECT network, subnet_id COLLATE "C" FROM subnet_metric
  UNION SELECT (CASE WHEN is_testnet THEN 'fuji' ELSE 'mainnet' END)::network, subnet_id COLLATE "C" FROM chain
    WHERE subnet_id IS NOT NULL) known
ORDER BY network, name;
CREATE UNIQUE INDEX subnet_network_subnet_id_key ON subnet (network, subnet_id);

INSERT INTO subnet_transaction
SELECT named.transaction_id, s.id, named.tx_type, named.time, named.tie
FROM named JOIN subnet s ON s.network = named.network AND s.subnet_id = named.name;
ALTER TABLE subnet_transaction ADD PRIMARY KEY (transaction_id, subnet_row_id);
CREATE INDEX subnet_transaction_time_idx ON subnet_transaction (subnet_row_id, time, tie, transaction_id);
CREATE INDEX subnet_transaction_type_time_idx ON subnet_transaction (subnet_row_id, tx_type, time, tie, transaction_id);

-- A few hundred rows.
CREATE INDEX chain_subnet_id_idx ON chain (subnet_id, is_testnet, evm_chain_id);
