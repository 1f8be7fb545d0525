-- no transaction
CREATE INDEX CONCURRENTLY internal_tx_block_idx
  ON internal_tx (evm_chain_id, block_number, tx_hash, position, tie) INCLUDE (id);
