-- no transaction
CREATE INDEX CONCURRENTLY transaction_subnet_idx
  ON transaction (network, chain, (details->>'subnetId'), tx_type, block_timestamp, tie, id)
  WHERE details->>'subnetId' IS NOT NULL;
