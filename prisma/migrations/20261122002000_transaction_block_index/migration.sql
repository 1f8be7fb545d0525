-- no transaction
-- By block, and the time of a block, by which a range of blocks is one of time. X-chain transactions from before the
-- linearisation have none. See docs/decisions/0026-transaction-filters.md.
CREATE INDEX CONCURRENTLY transaction_block_idx ON transaction (network, chain, block_number, block_timestamp, tie, id)
  WHERE block_number IS NOT NULL;
