-- no transaction
-- Index-only scans need the visibility map, and plans the statistics.
VACUUM (ANALYZE) l1_validator, l1_validator_transaction;
