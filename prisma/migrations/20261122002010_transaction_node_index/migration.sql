-- no transaction
CREATE INDEX CONCURRENTLY transaction_node_idx
  ON transaction (network, chain, (details->>'nodeId'), tx_type, block_timestamp, tie, id)
  WHERE details->>'nodeId' IS NOT NULL;
