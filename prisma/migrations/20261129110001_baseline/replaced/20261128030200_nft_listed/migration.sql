-- A token that a transfer named is listed too: one of ERC-1155 has no owner, nor has one that was burned. See
-- src/resources/nft/list.ts. The new index is made first: reads of the table wait only while it takes the name of the old one.

CREATE INDEX nft_token_listed_new ON nft_token (evm_chain_id, address, token_id)
  WHERE owner IS NOT NULL OR fetched_at IS NOT NULL OR last_transfer_block IS NOT NULL
    OR last_transfer_timestamp IS NOT NULL OR last_transfer_tx_hash IS NOT NULL;
DROP INDEX nft_token_listed;
ALTER INDEX nft_token_listed_new RENAME TO nft_token_listed;
