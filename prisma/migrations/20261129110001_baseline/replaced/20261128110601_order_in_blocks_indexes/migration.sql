-- In a transaction of their own: indexes that are made in the one that changed the rows have the former rows too, and are twice
-- as large. As in the baseline.
CREATE INDEX transaction_time_idx ON transaction (network, chain, block_timestamp, tie, id);
CREATE INDEX transaction_type_time_idx ON transaction (network, chain, tx_type, block_timestamp, tie, id);
CREATE INDEX transaction_block_idx ON transaction (network, chain, block_number, block_timestamp, tie, id)
  WHERE block_number IS NOT NULL;
CREATE INDEX transaction_node_idx ON transaction (network, chain, (details->>'nodeId'), tx_type, block_timestamp, tie, id)
  WHERE details->>'nodeId' IS NOT NULL;
CREATE INDEX transaction_subnet_idx ON transaction (network, chain, (details->>'subnetId'), tx_type, block_timestamp, tie, id)
  WHERE details->>'subnetId' IS NOT NULL;
CREATE INDEX transaction_node_subnet_idx
  ON transaction (network, chain, (details->>'nodeId'), (details->>'subnetId'), tx_type, block_timestamp, tie, id)
  WHERE details->>'nodeId' IS NOT NULL AND details->>'subnetId' IS NOT NULL;
CREATE INDEX address_transaction_time_idx ON address_transaction (address_id, chain, time, tie, transaction_id);
CREATE INDEX address_transaction_type_time_idx
  ON address_transaction (address_id, chain, tx_type, time, tie, transaction_id);
CREATE INDEX subnet_transaction_time_idx ON subnet_transaction (subnet_row_id, time, tie, transaction_id);
CREATE INDEX subnet_transaction_type_time_idx ON subnet_transaction (subnet_row_id, tx_type, time, tie, transaction_id);
CREATE INDEX validator_transaction_time_idx ON validator_transaction (validator_row_id, time, tie, transaction_id);
CREATE INDEX validator_transaction_type_time_idx
  ON validator_transaction (validator_row_id, tx_type, time, tie, transaction_id);
CREATE INDEX l1_validator_transaction_time_idx
  ON l1_validator_transaction (l1_validator_row_id, time, tie, transaction_id);

-- An import that was interrupted had put these off.
DELETE FROM late_index l USING pg_indexes i WHERE i.schemaname = current_schema() AND i.indexname = l.name;
