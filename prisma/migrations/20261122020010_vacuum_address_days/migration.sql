-- no transaction
-- Plans need the statistics.
VACUUM (ANALYZE) address_day;
