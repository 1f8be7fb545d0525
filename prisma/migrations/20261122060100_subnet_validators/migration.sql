-- The nodes that staking transactions name for a subnet: see 20261122005000_subnets.
CREATE TABLE subnet_validator (
  subnet_row_id bigint NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  validator_row_id bigint NOT NULL
);

-- The locks under which imports write (src/ingest/batch.ts), in their order: imports wait until the rows of what is stored
-- are there. Nothing else waits, as no table that anybody reads is locked.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '60s';
SELECT pg_advisory_xact_lock(1836020321, 0);
SELECT pg_advisory_xact_lock(1836020321, 1);

-- What does not fit goes to disk.
SET LOCAL work_mem = '64MB';
INSERT INTO subnet_validator (subnet_row_id, node_id, validator_row_id)
SELECT DISTINCT s.id, v.node_id, v.id FROM transaction t
JOIN subnet s ON s.network = t.network AND s.subnet_id = t.details->>'subnetId'
JOIN validator v ON v.network = t.network AND v.node_id = t.details->>'nodeId'
WHERE t.chain = 'p' AND t.tx_type IN ('AddValidatorTx', 'AddSubnetValidatorTx', 'AddPermissionlessValidatorTx',
  'AddDelegatorTx', 'AddPermissionlessDelegatorTx');
ALTER TABLE subnet_validator ADD PRIMARY KEY (subnet_row_id, node_id);
