-- no transaction
-- Hashes are only looked up: a hash index holds four bytes of each.
CREATE INDEX CONCURRENTLY transaction_block_hash_idx ON transaction USING hash (block_hash);
