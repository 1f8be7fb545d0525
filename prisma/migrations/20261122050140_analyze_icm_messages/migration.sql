-- no transaction
-- What indexes are of has statistics of its own. Readers and writers go on meanwhile.
ANALYZE icm_message;
