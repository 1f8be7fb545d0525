-- no transaction
CREATE INDEX CONCURRENTLY utxo_owner_asset_time_idx ON utxo_owner (address_id, asset_row_id, spent, time, tie, utxo_row_id)
  INCLUDE (amount) WHERE chain = 'x';
