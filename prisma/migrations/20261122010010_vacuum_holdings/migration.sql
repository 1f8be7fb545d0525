-- no transaction
-- Index-only scans need the visibility map, and plans the statistics.
VACUUM (ANALYZE) address_holding, holding_output;
