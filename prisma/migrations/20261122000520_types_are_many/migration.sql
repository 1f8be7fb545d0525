-- Nearly every transaction of a chain may be of one type, so that a sample of the rows shows no other. The planner then takes a
-- type that is asked for to be that of all rows, and looks for ten of a rare one along the index by time: 21,000 blocks of
-- 500,000 rows were read, instead of 40. There are some thirty types; whatever the sample shows, it is to reckon with them.
ALTER TABLE transaction ALTER COLUMN tx_type SET (n_distinct = 30);
ALTER TABLE address_transaction ALTER COLUMN tx_type SET (n_distinct = 30);
ANALYZE transaction (tx_type);
ANALYZE address_transaction (tx_type);
