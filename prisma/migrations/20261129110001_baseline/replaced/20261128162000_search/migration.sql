-- Searches by names and by the beginnings of ids (docs/decisions/0078-search-by-names.md). Each index is a name from its first,
-- second or third word on, with equal capitals, cut to 64 characters, in the order of code units: a name of any length fits, and
-- a beginning is one range of it. src/resources/search/name-list.ts has the same expressions.

CREATE INDEX chain_name_idx ON chain
  (is_testnet, left(lower(chain_name), 64) COLLATE "C", evm_chain_id);
CREATE INDEX chain_name_2_idx ON chain
  (is_testnet, left(lower(substring(chain_name from '^\W*\w+\W+(\w.*)$')), 64) COLLATE "C", evm_chain_id)
  WHERE left(lower(substring(chain_name from '^\W*\w+\W+(\w.*)$')), 64) IS NOT NULL;
CREATE INDEX chain_name_3_idx ON chain
  (is_testnet, left(lower(substring(chain_name from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) COLLATE "C", evm_chain_id)
  WHERE left(lower(substring(chain_name from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) IS NOT NULL;

CREATE INDEX asset_name_idx ON asset (network, left(lower(name), 64) COLLATE "C", asset_id COLLATE "C");
CREATE INDEX asset_name_2_idx ON asset
  (network, left(lower(substring(name from '^\W*\w+\W+(\w.*)$')), 64) COLLATE "C", asset_id COLLATE "C")
  WHERE left(lower(substring(name from '^\W*\w+\W+(\w.*)$')), 64) IS NOT NULL;
CREATE INDEX asset_name_3_idx ON asset
  (network, left(lower(substring(name from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) COLLATE "C", asset_id COLLATE "C")
  WHERE left(lower(substring(name from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) IS NOT NULL;
CREATE INDEX asset_symbol_idx ON asset (network, left(lower(symbol), 64) COLLATE "C", asset_id COLLATE "C");

CREATE INDEX transaction_chain_name_idx ON transaction
  (network, left(lower(details #>> '{blockchainInfo,chainName}'), 64) COLLATE "C", tx_hash COLLATE "C")
  WHERE tx_type = 'CreateChainTx';
CREATE INDEX transaction_chain_name_2_idx ON transaction
  (network, left(lower(substring(details #>> '{blockchainInfo,chainName}' from '^\W*\w+\W+(\w.*)$')), 64) COLLATE "C",
    tx_hash COLLATE "C")
  WHERE tx_type = 'CreateChainTx'
    AND left(lower(substring(details #>> '{blockchainInfo,chainName}' from '^\W*\w+\W+(\w.*)$')), 64) IS NOT NULL;
CREATE INDEX transaction_chain_name_3_idx ON transaction
  (network, left(lower(substring(details #>> '{blockchainInfo,chainName}' from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) COLLATE "C",
    tx_hash COLLATE "C")
  WHERE tx_type = 'CreateChainTx'
    AND left(lower(substring(details #>> '{blockchainInfo,chainName}' from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) IS NOT NULL;

CREATE INDEX nft_token_name_idx ON nft_token (left(lower(name), 64) COLLATE "C", evm_chain_id, address, token_id)
  WHERE name IS NOT NULL;

-- Also by the beginning of a hash; an index of hashes has four bytes of each key, however long it is.
DROP INDEX IF EXISTS block_hash_idx;
CREATE INDEX block_hash_idx ON block USING hash (left(hash, 8));
-- An import that was interrupted had put it off.
DELETE FROM late_index WHERE name = 'block_hash_idx';
