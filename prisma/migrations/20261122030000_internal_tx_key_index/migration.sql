-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY internal_tx_first_pkey
  ON internal_tx (evm_chain_id, tx_hash, position, tie, block_number);
