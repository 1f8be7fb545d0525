-- no transaction
-- The tokens of an address, also those of one collection.
CREATE INDEX CONCURRENTLY nft_token_owner_idx ON nft_token (evm_chain_id, owner, address, token_id)
  WHERE owner IS NOT NULL;
