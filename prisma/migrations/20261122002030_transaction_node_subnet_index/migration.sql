-- no transaction
CREATE INDEX CONCURRENTLY transaction_node_subnet_idx
  ON transaction (network, chain, (details->>'nodeId'), (details->>'subnetId'), tx_type, block_timestamp, tie, id)
  WHERE details->>'nodeId' IS NOT NULL AND details->>'subnetId' IS NOT NULL;
