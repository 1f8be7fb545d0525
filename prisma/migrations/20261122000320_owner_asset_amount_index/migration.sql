-- no transaction
CREATE INDEX CONCURRENTLY utxo_owner_asset_amount_idx ON utxo_owner (address_id, asset_row_id, spent, amount, tie, utxo_row_id)
  INCLUDE (time) WHERE chain = 'x';
