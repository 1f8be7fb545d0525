-- Blocks are rows: until now a block was the first transaction with its number (docs/decisions/0075-blocks.md).

CREATE TYPE block_type AS ENUM ('proposal', 'commit', 'abort', 'standard', 'atomic');

CREATE TABLE block (
  network network NOT NULL,
  chain primary_chain NOT NULL,
  block_type block_type,
  size_bytes integer,
  tx_count integer,
  number numeric(20, 0) NOT NULL,
  timestamp numeric(20, 0) NOT NULL,
  hash text,
  parent_hash text,
  proposer_node_id text,
  PRIMARY KEY (network, chain, number)
);
-- Hashes are only looked up: a hash index holds four bytes of each.
CREATE INDEX block_hash_idx ON block USING hash (hash);
CREATE INDEX block_proposer_idx ON block (network, chain, proposer_node_id, number) WHERE proposer_node_id IS NOT NULL;

-- What the stored transactions say of their blocks.
INSERT INTO block (network, chain, number, timestamp, hash)
SELECT DISTINCT ON (network, chain, block_number) network, chain, block_number, block_timestamp, block_hash
FROM transaction WHERE block_number IS NOT NULL
ORDER BY network, chain, block_number, block_hash IS NULL, block_timestamp, tie, id;

-- Only blocks were found by it.
DROP INDEX transaction_block_hash_idx;
