-- no transaction
-- Index-only scans need the visibility map, and plans the statistics.
VACUUM (ANALYZE) subnet_validator;
