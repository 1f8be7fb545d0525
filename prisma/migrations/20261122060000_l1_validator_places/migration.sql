-- Where an L1 validator belongs: the subnet and the node that the newest of its transactions names. Alone in its
-- transaction: readers wait for no longer than it takes to change the catalog.
SET LOCAL lock_timeout = '60s';
ALTER TABLE l1_validator ADD COLUMN subnet_row_id bigint, ADD COLUMN validator_row_id bigint;
