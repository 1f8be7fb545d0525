-- no transaction
-- The time is an expression, so that no other index has the order of the lists that are read from this one.
CREATE INDEX CONCURRENTLY icm_message_status_time_idx
  ON icm_message (network, (details->>'status'), (timestamp + 0), message_id, id);
