-- The tokens that lists show. Without it a list would read past every token that somebody merely asked for.
CREATE INDEX "nft_token_listed" ON "nft_token" ("evm_chain_id", "address", "token_id")
  WHERE "owner" IS NOT NULL OR "fetched_at" IS NOT NULL;
