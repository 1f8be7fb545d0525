-- A token that a transfer named is listed too: one of ERC-1155 has no owner, nor has one that was burned. See
-- src/resources/nft/list.ts.

DROP INDEX nft_token_listed;
CREATE INDEX nft_token_listed ON nft_token (evm_chain_id, address, token_id)
  WHERE owner IS NOT NULL OR fetched_at IS NOT NULL OR last_transfer_block IS NOT NULL
    OR last_transfer_timestamp IS NOT NULL OR last_transfer_tx_hash IS NOT NULL;
